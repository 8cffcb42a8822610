import type { DesiredContract } from '../../../contract/contract.ts';
import { parseIndex, type Pointer } from '../../../patch/pointer.ts';
import { deepEqual } from '../../../core/json.ts';
import { valuesIn } from '../../read/document.ts';
import type { Format, OwnDocument } from '../format.ts';
import { composeOdcs } from './compose.ts';
import { detectFormat } from './detect.ts';
import { type MappedContract, mapOdcs } from './map.ts';
import { pointerIntoFields, refineByLive, sourceOf, type Stated, stateGroup } from './refine.ts';
import { restateOdcs } from './restate.ts';

export const odcs: Format = {
  recognises: (document) => detectFormat(document).format !== 'native',
  read: (document, rules) => {
    const detected = detectFormat(document);
    const diagnostics = detected.format === 'native' ? [] : detected.diagnostics;
    if (detected.format !== 'odcs') return { contracts: [], diagnostics };
    const mapping = mapOdcs(document, rules);
    // Traces, which are larger than their contracts, are not kept.
    const contracts = mapping.contracts.map(({ fields, pointer, leeway }) => {
      return { fields, pointer, leeway };
    });
    return { contracts, diagnostics: [...diagnostics, ...mapping.diagnostics] };
  },
  locate: locateOdcs,
  restate: restateOdcs,
  compose: composeOdcs,
  // Editors recognise the files by their names.
  newFiles: { path: 'contracts/{domain}/{name}.odcs.yaml', head: '', areShared: false },
};

// Refining by the live contract reorders columns, so pointers are translated.
function locateOdcs(desired: DesiredContract, own: OwnDocument): DesiredContract {
  const { fields, leeway = [] } = own.contract;
  const located: DesiredContract = {
    ...desired,
    source: { ...desired.source, format: 'odcs' },
    locate: (pointer, isRemoved) => locate(own, isRemoved ? pointer.slice(0, -1) : pointer),
    leeway,
  };
  return {
    ...located,
    refine: ({ document: live }) => {
      const managed = refineByLive(desired.managed, live, leeway);
      const within: DesiredContract['locate'] = (pointer, isRemoved) =>
        locate(own, pointerIntoFields(fields, isRemoved ? live : managed, pointer));
      return { ...located, managed, locate: within };
    },
  };
}

function locate(own: OwnDocument, pointer: Pointer) {
  const { pointer: from, key } = sourceOf(traceOf(own), pointer);
  const isItem = parseIndex(pointer.at(-1) ?? '') !== undefined;
  return { ...own.locate(own.document, from), ...(key !== undefined && !isItem && { key }) };
}

// Caches the last document only, as few contracts change.
let last: { of: OwnDocument; contracts: readonly MappedContract[] } | undefined;

function traceOf(own: OwnDocument): Stated {
  const { document, rules } = own;
  const isLast = last?.of.rules === rules && last.of.document.text === document.text;
  if (!isLast || last?.of.document.index !== document.index) {
    const value = valuesIn(document.text)[document.index] ?? null;
    last = { of: own, contracts: mapOdcs(value, rules).contracts };
  }
  const contract = last.contracts.find(({ pointer }) => deepEqual(pointer, own.contract.pointer));
  return contract?.trace ?? stateGroup(own.contract.pointer, {});
}
