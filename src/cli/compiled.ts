/** A path is joined by hand and modules of Node are asked for one by one: this comes before all else. */

/** What V8 has made of one module of the program. */
export type CompiledModule = {
  /** CRC-32 of the module's bytes: V8 itself compares nothing but their number. */
  readonly checksum: number;
  readonly code: Buffer;
};

/** By the modules' names. */
type CompiledModules = ReadonlyMap<string, CompiledModule>;

/** The file in which a command's compiled modules are kept from one start to the next. */
export type CompiledFile = {
  /** What is kept; nothing where there is no file, or where it is damaged. */
  readonly read: () => CompiledModules;
  readonly write: (modules: CompiledModules) => void;
};

/**
 * Undefined where nothing is to be kept. What is kept is run, so the folder is the user's own, and
 * nobody else's to write to. The first start makes it in the user's cache, and only those behind it
 * fill it: what is used once, as in a container, pays nothing. NODE_DISABLE_COMPILE_CACHE, by which
 * Node's own cache is turned off, turns this one off too.
 */
export function compiledFile(
  environment: NodeJS.ProcessEnv,
  command: string,
): CompiledFile | undefined {
  const folder = cacheFolder(environment);
  if (folder === undefined || environment['NODE_DISABLE_COMPILE_CACHE']) return undefined;
  if (!/^[a-z]+$/u.test(command) || !isReady(folder)) return undefined;
  const path = `${folder}/${command}`;
  return { read: () => readModules(path), write: (modules) => writeModules(path, modules) };
}

/** By the XDG base directory specification, which has a relative path ignored. Not on Windows: there are no modes. */
function cacheFolder({ HOME, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined {
  const cache = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : HOME && `${HOME}/.cache`;
  return cache?.startsWith('/') ? `${cache}/contract-sync` : undefined;
}

/** Nothing is kept where there is no cache, or nothing can be written. */
function isReady(folder: string): boolean {
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
  try {
    const known = lstatSync(folder, { throwIfNoEntry: false });
    if (!known) mkdirSync(folder, ownersAlone);
    return known !== undefined && known.isDirectory() && isOwn(known);
  } catch {
    return false;
  }
}

const ownersAlone = 0o700;

function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o777) === ownersAlone;
}

/** V8 with its flags, and what it runs on: it has no use for what another has made, and may not notice. */
export function compiler(): string {
  const tag = process.getBuiltinModule('node:v8').cachedDataVersionTag();
  return [process.version, process.platform, process.arch, tag].join(' ');
}

/** What stands before the code: who made it, and of each module its name, its checksum and the length of its code. */
type Contents = readonly [
  maker: string,
  ...(readonly [name: string, checksum: number, length: number])[],
];

/** Bytes: the checksum of all that follows, and the length of the contents. V8 trusts what it is given. */
const prefixLength = 8;

function readModules(path: string): CompiledModules {
  try {
    const bytes = process.getBuiltinModule('node:fs').readFileSync(path);
    const { crc32 } = process.getBuiltinModule('node:zlib');
    if (crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return new Map();
    let place = prefixLength + bytes.readUInt32LE(4);
    const [maker, ...contents]: Contents = JSON.parse(bytes.toString('utf8', prefixLength, place));
    if (maker !== compiler()) return new Map();
    return new Map(
      contents.map(([name, checksum, length]) => {
        const code = bytes.subarray(place, (place += length));
        return [name, { checksum, code }];
      }),
    );
  } catch {
    return new Map();
  }
}

/** As a whole or not at all, whoever else starts meanwhile. */
function writeModules(path: string, modules: CompiledModules): void {
  const { renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, packed(modules), { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, path);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

function packed(modules: CompiledModules): Buffer {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  const contents: Contents = [
    compiler(),
    ...[...modules].map(([name, { checksum, code }]): Contents[1] => [name, checksum, code.length]),
  ];
  const told = Buffer.from(JSON.stringify(contents));
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32LE(told.length, 4);
  const codes = [...modules.values()].map(({ code }) => code);
  const whole = Buffer.concat([prefix, told, ...codes]);
  whole.writeUInt32LE(crc32(whole.subarray(4)));
  return whole;
}
