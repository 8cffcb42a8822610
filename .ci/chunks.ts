/** Which modules of the command line and the library stand together in a chunk. */

/**
 * What only some runs need of what others are made of. It is loaded when something in it is first used,
 * and a plan of contracts that differ from the catalog's in no more than their status uses none of it.
 * A module whose values others are made of as they load has no place here.
 */
const late = [
  {
    name: 'odcs',
    test: inSource('files/formats/odcs/(?!data-type|detect|settings|trace|variables)'),
  },
  { name: 'login', test: inSource('auth/(?!choose|effects|github|openid|source|store|token)') },
  { name: 'config', test: inSource('config/(?:file|schema)', 'generated/config') },
  {
    name: 'changes',
    test: inSource(
      'compatibility/(?!compare|compatibility|past|type)',
      'patch/(?:align|array|key-path|merge|moves|section)',
      'plan/create',
      'report/values',
    ),
  },
  {
    name: 'faults',
    test: inSource(
      'catalog/(?:network-fault|prospects)',
      'files/read/(?:key|syntax|value|yaml)',
      'generated/failures',
      'http/fault',
      'plan/missing',
      'report/(?:github|model/failure)',
    ),
  },
  {
    name: 'options',
    test: inSource(
      'cli/output-file',
      'files/(?:find/(?:commit|git)|write)',
      'history/',
      'plan/saved',
      'report/(?:json|(?:model|text)/outcomes)',
      'review/',
    ),
  },
];

/** Without what their modules import, which others import too. */
export const lateChunks = late.map((chunk) => ({
  ...chunk,
  includeDependenciesRecursively: false,
}));

/** What is loaded together, with all that it imports; threads load those of their own work alone. */
export const chunks = [
  { name: 'core', test: /src\/core\/|builtin:/u },
  { name: 'start', test: inSource('cli/start.ts') },
  { name: 'heads', test: inSource('ahead/heads.ts') },
  { name: 'reading', test: inSource('ahead/files.ts') },
  { name: 'validate', test: inSource('cli/validate.ts') },
  { name: 'plan', test: inSource('cli/plan.ts') },
];

function inSource(...places: readonly string[]): RegExp {
  return new RegExp(`/src/(?:${places.join('|')})`, 'u');
}
