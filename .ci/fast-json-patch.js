/**
 * Stands in for fast-json-patch in bundles: the same functions as an ES module, of which what nobody
 * calls is left out. Its default export has them all, and so would a bundle.
 */
// oxlint-disable-next-line import/no-default-export -- the package has one
export * as default from 'fast-json-patch/module/core.mjs';
