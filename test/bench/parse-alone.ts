/** Reads and parses the files of a folder with the `yaml` package, and does nothing else. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = process.argv[2] ?? '.';
for (const file of readdirSync(folder)) parse(readFileSync(join(folder, file), 'utf8'));
