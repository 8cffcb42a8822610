/** Reads and parses the files of a folder with the package of a name, and does nothing else. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.', name] = process.argv.slice(2);
const parse = name === 'js-yaml' ? (await import('js-yaml')).load : (await import('yaml')).parse;
for (const file of readdirSync(folder)) parse(readFileSync(join(folder, file), 'utf8'));
