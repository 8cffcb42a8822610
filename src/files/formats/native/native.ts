/** This program's own format: the keys of a contract as the catalog has them. */

import { isObject } from '../../../core/json.ts';
import type { Format } from '../format.ts';
import { composeNative } from './compose.ts';
import { restateNative } from './restate.ts';
import { ruleProblems } from './rules.ts';
import { shapeProblems } from './shape.ts';

export const native: Format = {
  recognises: isObject,
  read: (document, { statuses }) => ({
    contracts: isObject(document) ? [{ fields: document, pointer: [] }] : [],
    diagnostics: [...shapeProblems(document), ...ruleProblems(document, statuses)],
  }),
  locate: (desired) => desired,
  restate: restateNative,
  compose: composeNative,
  newFiles: {
    path: 'contracts/{domain}/{name}.yaml',
    // Editors complete the keys by this schema.
    head: '# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/contract.schema.json\n',
    areShared: true,
  },
};
