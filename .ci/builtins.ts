import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

/**
 * Has a bundle load modules of Node when something in them is first used. To import one as it stands
 * makes Node read all of its members, and load what each of them is for: at the start of a command
 * that takes longer than the command's own code.
 */
export function builtinsOnDemand(): Plugin {
  return {
    name: 'builtins-on-demand',
    resolveId: {
      filter: { id: /^[a-z:_/\d]+$/u },
      handler: (name) => {
        const bare = name.replace(/^node:/u, '');
        return isBuiltin(name) && bare !== ofRuntime ? `${mark}${bare}` : null;
      },
    },
    load: {
      filter: { id: /^builtin:/u },
      handler: (id) => moduleOf(`node:${id.slice(mark.length)}`),
    },
  };
}

/** What the bundler's own part of a bundle imports, which comes before all others. */
const ofRuntime = 'module';

const mark = 'builtin:';

/** A CommonJS module, for its members are looked up where they are used. */
function moduleOf(name: string): string {
  const builtin: object = process.getBuiltinModule(name) ?? {};
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`;
  // It is there anyhow, and assigned to; a function is called, or built upon.
  if (name === 'node:process' || typeof builtin === 'function') return `module.exports = ${load};`;
  const members = Object.keys(builtin).filter((member) => member !== 'default');
  return `let loaded;
for (const member of ${JSON.stringify(members)})
  Object.defineProperty(exports, member, {
    enumerable: true,
    get: () => (loaded ??= ${load})[member],
  });`;
}
