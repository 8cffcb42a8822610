import manifest from '../package.json' with { type: 'json' };

/** The version of contract-sync, as npm knows it. */
export const version: string = manifest.version;

/** The pages of `docs/`, which the npm package leaves out. */
export const pages = 'https://github.com/contract-sync/contract-sync/blob/main/docs';
