import { contractLabel } from '../../contract/identity.ts';
import { isBreaking, type Change, type MissingPlan, type UpdatePlan } from '../../plan/plan.ts';
import type { Block } from './blocks.ts';
import type { Place } from './place.ts';
import { code, firstRows, prose, table } from './text.ts';
import { describeMove } from './transitions.ts';

const header = ['', 'Contract', 'Changes', 'Version', 'File'];

/** A line for each contract, or for the first of them. */
export function contractTable(
  contracts: readonly (UpdatePlan | MissingPlan)[],
  place: Place,
): Block {
  const rows = contracts.map((contract) => [
    verdict(contract),
    code(contractLabel(contract)),
    contract.action === 'missing' ? 'not in the catalog' : changedFields(contract),
    contract.action === 'missing' ? '' : versions(contract),
    place(contract.source),
  ]);
  return [table(header, rows), firstRows(header, rows, 100), ''];
}

function verdict(contract: UpdatePlan | MissingPlan): string {
  const words = contract.action === 'update' ? 'update' : `**${contract.action}**`;
  return isBreaking(contract) ? `${words}, **breaking**` : words;
}

/** `Draft → **Active**, description, schema +1 −2`. */
function changedFields({ transition, changes }: UpdatePlan): string {
  const fields = Map.groupBy(
    changes.filter(({ path }) => path !== '/entityStatus'),
    ({ path }) => path.split('/')[1] ?? '',
  );
  return [
    ...(transition ? [describeMove(transition)] : []),
    ...[...fields].map(([field, edits]) => `${prose(field)}${tally(edits)}`),
  ].join(', ');
}

/** How many elements come and go; a field that changes as a whole has none. */
function tally(edits: readonly Change[]): string {
  const inside = edits.filter(({ path }) => path.split('/').length > 2);
  const signs: readonly (readonly [string, readonly Change['kind'][]])[] = [
    ['+', ['add', 'copy']],
    ['−', ['remove']],
    ['~', ['replace', 'move', 'test']],
  ];
  return signs
    .map(([sign, kinds]) => ({
      sign,
      of: inside.filter(({ kind }) => kinds.includes(kind)).length,
    }))
    .filter(({ of }) => of > 0)
    .map(({ sign, of }) => ` ${sign}${of}`)
    .join('');
}

function versions({ liveVersion, predictedVersions }: UpdatePlan): string {
  if (liveVersion === undefined) return '';
  if (predictedVersions.length === 0) return code(liveVersion);
  return `${code(liveVersion)} → ${predictedVersions.join(' or ')}`;
}
