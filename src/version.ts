import manifest from '../package.json' with { type: 'json' };

/** The version of contract-sync, as npm knows it. */
export const version: string = manifest.version;
