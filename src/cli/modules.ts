/** Loads the modules of the bundle, which are CommonJS, with what V8 made of them at an earlier start. */

import type { Script } from 'node:vm';
import { type CompiledFile, type CompiledModule, compiler } from './compiled.ts';

export type Modules = {
  /** What a module exports; it loads the others that it requires. */
  readonly load: (file: string) => Exports;
  /** Keeps what V8 has made of them by now, where it is new. */
  readonly keep: () => void;
};

type Exports = ReturnType<NodeJS.Require>;

/** Nothing is kept without a file for it. */
export function createModules(kept: CompiledFile | undefined): Modules {
  const path = process.getBuiltinModule('node:path');
  const { compile, keep } = kept ? keepingCompiler(kept) : plainCompiler;
  const modules = new Map<string, { readonly exports: Exports }>();
  const load = (file: string): Exports => {
    const present = modules.get(file);
    if (present) return present.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const require = (name: string): Exports =>
      name.startsWith('.')
        ? load(path.join(path.dirname(file), name))
        : process.getBuiltinModule(name);
    const run: Wrapper = compile(file).runInThisContext();
    run(module.exports, require, module, file);
    return module.exports;
  };
  return { load, keep };
}

/** What CommonJS has around a module; a bundle does not ask for the folder. */
export const wrapper = ['(function (exports, require, module, __filename) {', '\n})'] as const;

type Wrapper = (
  exports: Exports,
  require: (name: string) => Exports,
  module: { exports: Exports },
  __filename: string,
) => void;

type Compiler = Pick<Modules, 'keep'> & { readonly compile: (file: string) => Script };

const plainCompiler: Compiler = {
  compile: (file) => scriptOf(file, readSource(file)),
  keep: () => undefined,
};

/**
 * Node's own cache has a module as it is before it runs, without most of its functions: that would
 * spare a plan a third of what this spares it, which has all functions that the command called.
 */
function keepingCompiler(kept: CompiledFile): Compiler {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  const known = kept.read();
  const compiled = new Map<string, { readonly checksum: number; readonly script: Script }>();
  const atFirst = compiler();
  let isNew = false;
  let isSameBuild: boolean | undefined;
  const compile = (file: string): Script => {
    const source = readSource(file);
    const checksum = crc32(source);
    const before = known.get(file);
    const script = scriptOf(file, source, before?.checksum === checksum ? before.code : undefined);
    const isKnown = script.cachedDataRejected === false;
    isNew ||= !isKnown;
    // The first module names all others, and they have names of their own in each build.
    isSameBuild ??= isKnown;
    compiled.set(file, { checksum, script });
    return script;
  };
  const keep = (): void => {
    // V8 refuses what it made under other flags.
    if (!isNew || compiler() !== atFirst) return;
    const modules = [...compiled].map(([file, { checksum, script }]): [string, CompiledModule] => [
      file,
      { checksum, code: script.createCachedData() },
    ]);
    // What this run had no use for, another may have.
    kept.write(new Map([...(isSameBuild ? known : []), ...modules]));
  };
  return { compile, keep };
}

function readSource(file: string): Buffer {
  return process.getBuiltinModule('node:fs').readFileSync(file);
}

function scriptOf(filename: string, source: Buffer, cachedData?: Buffer): Script {
  const { Script } = process.getBuiltinModule('node:vm');
  const [before, after] = wrapper;
  const columnOffset = -before.length;
  return new Script(`${before}${source.toString()}${after}`, {
    filename,
    columnOffset,
    ...(cachedData && { cachedData }),
  });
}
