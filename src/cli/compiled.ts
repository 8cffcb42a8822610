/** A path is joined by hand and modules of Node are asked for one by one: this comes before all else. */

/**
 * Has Node keep what it compiles of this program, and take it from there the next time. What is kept
 * is run, so the folder is the user's own, and nobody else's to write to. The first start makes it in
 * the user's cache, and only those behind it fill it: what is used once, as in a container, pays nothing.
 * NODE_DISABLE_COMPILE_CACHE turns it off, as it does everywhere.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  const folder = cacheFolder(environment);
  if (folder === undefined || environment['NODE_DISABLE_COMPILE_CACHE']) return;
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
  try {
    const known = lstatSync(folder, { throwIfNoEntry: false });
    if (!known) mkdirSync(folder, ownersAlone);
    else if (known.isDirectory() && isOwn(known))
      process.getBuiltinModule('node:module').enableCompileCache(folder);
  } catch {
    // Nothing is kept where there is no cache, or nothing can be written.
  }
}

const ownersAlone = 0o700;

function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o777) === ownersAlone;
}

/** By the XDG base directory specification, which has a relative path ignored. Not on Windows: there are no modes. */
function cacheFolder({ HOME, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined {
  const cache = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : HOME && `${HOME}/.cache`;
  return cache?.startsWith('/') ? `${cache}/contract-sync` : undefined;
}
