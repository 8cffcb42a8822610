/** Has bundles load what takes long when something in it is first used. */

import { isBuiltin } from 'node:module';
import { build, type InputOptions, type Plugin } from 'rolldown';

/**
 * Of the modules of Node. To import one as it stands makes Node read all of its members, and load
 * what each of them is for: at the start of a command that takes longer than the command's own code.
 */
export function builtinsOnDemand(): Plugin {
  return {
    name: 'builtins-on-demand',
    resolveId: {
      filter: { id: /^[a-z:_/\d]+$/u },
      handler: (name) => {
        const bare = name.replace(/^node:/u, '');
        return isBuiltin(name) && bare !== ofRuntime ? `${builtinMark}${bare}` : null;
      },
    },
    load: {
      filter: { id: /^builtin:/u },
      handler: (id) => builtinModule(`node:${id.slice(builtinMark.length)}`),
    },
  };
}

/** What the bundler's own part of a bundle imports, which comes before all others. */
const ofRuntime = 'module';

const builtinMark = 'builtin:';

function builtinModule(name: string): string {
  const builtin: object = process.getBuiltinModule(name) ?? {};
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`;
  // It is there anyhow, and assigned to; a function is called, or built upon.
  if (name === 'node:process' || typeof builtin === 'function') return `module.exports = ${load};`;
  return moduleOnDemand(builtin, load);
}

/** CommonJS, for its members are looked up where they are used. */
function moduleOnDemand(loaded: object, load: string): string {
  const members = Object.keys(loaded).filter((member) => member !== 'default');
  return `let loaded;
for (const member of ${JSON.stringify(members)})
  Object.defineProperty(exports, member, {
    enumerable: true,
    get: () => (loaded ??= ${load})[member],
  });`;
}

/**
 * Of a package, which becomes a file of its own beside the others. CommonJS: what is used in the
 * middle of things has to be there at once.
 */
export async function packageOnDemand(name: string, options: InputOptions): Promise<Plugin> {
  const output = { format: 'cjs', exports: 'named', comments: false, minify: true } as const;
  const [bundled] = (await build({ ...options, input: name, write: false, output })).output;
  const loaded: object = await import(name);
  const place = `place:${name}`;
  return {
    name: 'package-on-demand',
    resolveId: (id) => (id === name ? `package:${name}` : id === place ? place : null),
    load(id) {
      if (id === `package:${name}`) {
        return `const { load } = require('${place}');\n${moduleOnDemand(loaded, 'load()')}`;
      }
      if (id !== place) return null;
      const file = this.emitFile({ type: 'asset', name: `${name}.cjs`, source: bundled.code });
      return `import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
export const load = () =>
  createRequire(import.meta.url)(fileURLToPath(import.meta.ROLLUP_FILE_URL_${file}));`;
    },
  };
}

/**
 * Of these chunks of a CommonJS bundle. They load what they import when they use it, too: so it does
 * not matter that some of it imports them.
 */
export function chunksOnDemand(chunks: readonly { readonly name: string }[]): Plugin {
  const names = new Set(chunks.map(({ name }) => name));
  return {
    name: 'chunks-on-demand',
    renderChunk: (code, own, _options, meta) => {
      const imports = code.matchAll(importOfChunk);
      const late = [...imports].filter(([, , file = '']) =>
        [own, meta.chunks[file]].some((chunk) => chunk && names.has(chunk.name)),
      );
      return { code: late.reduce<string>(loadedWhereUsed, code) };
    },
  };
}

const importOfChunk = /^const (require_[\w$]+) = require\("\.\/(.+)"\);$/gmu;

function loadedWhereUsed(code: string, [whole, name = '', file = '']: RegExpExecArray): string {
  const loaded = `let loaded_${name};
const ${name} = () => (loaded_${name} ??= require("./${file}"));`;
  // In parentheses for `new`, which would take the call for its own.
  return code.replace(whole, () => loaded).replaceAll(`${name}.`, () => `(${name}()).`);
}
