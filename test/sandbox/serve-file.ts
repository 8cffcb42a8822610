import { startSandbox } from '../../src/sandbox/sandbox.ts';

// Run as a process of its own, so that a test can kill it: `serve-file.ts <data file> <seed>`.
const [dataFile = '', seed = '[]'] = process.argv.slice(2);
const { url, token } = await startSandbox({ dataFile, seed: JSON.parse(seed) });
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
