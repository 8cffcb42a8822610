/**
 * `npm start -- plan`: the command line from the sources, in the folder where npm was called; npm
 * itself runs everything in the root.
 */

process.chdir(process.env['INIT_CWD'] ?? '.');
await import('../src/cli/main.ts');
