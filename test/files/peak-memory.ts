/** Reads the contracts of a folder and writes what came of it: run as a process of its own. */

import { readContracts } from '../../src/files/files.ts';

const root = process.argv[2] ?? '.';
const { fileCount, diagnostics } = await readContracts({ root, include: ['.'], exclude: [] });
const codes = diagnostics.map(({ code, source }) => `${source?.file} ${code}`);
const peakMegabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ fileCount, codes, peakMegabytes }));
