/** Updates an ODCS document to the catalog's contract, section by section. Pure. */

import { managedFields } from '../../../contract/contract.ts';
import { contractLabel } from '../../../contract/identity.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { isArray, isObject } from '../../../core/json.ts';
import { labelKeyPath } from '../../../patch/identity.ts';
import type { Operation } from '../../../patch/operation.ts';
import { parsePointer } from '../../../patch/pointer.ts';
import { valuesIn } from '../../read/document.ts';
import { withoutMark } from '../../read/text.ts';
import {
  changedMeanwhile,
  type ContractDocument,
  type Divergence,
  type FilePart,
  noticesOf,
  type PlacedDifference,
  type RestateOptions,
  type TurnedPart,
} from '../format.ts';
import {
  attempt,
  differsIn,
  type OdcsState,
  type OdcsSubject,
  type Reason,
  type Sibling,
  type Standing,
  standingIn,
} from './attempt.ts';

/**
 * Takes what ODCS can express; the rest stays as in the file and is reported. A document is edited
 * in one step; if that fails, in halves, and at last field by field.
 */
export function restateOdcs(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: RestateOptions,
): TurnedPart {
  const together = turnTogether(part, placed, options);
  if (together) return together;
  if (placed.length < 2) return turnEach(part, placed, { ...options, edit: part.edit });
  const half = Math.ceil(placed.length / 2);
  const first = restateOdcs(part, placed.slice(0, half), options);
  const second = restateOdcs({ ...part, text: first.text }, placed.slice(half), options);
  return {
    text: second.text,
    pulled: [...first.pulled, ...second.pulled],
    problems: [...first.problems, ...second.problems],
  };
}

function turnTogether(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: RestateOptions,
): TurnedPart | undefined {
  const index = (placed[0]?.document.index ?? 0) - part.first;
  const noted: Operation[] = [];
  const edit: FilePart['edit'] = (text, patch) => {
    noted.push(...patch);
    return { kind: 'edited', text, notices: [], removedComments: [] };
  };
  const turned = turnEach(part, placed, { ...options, edit });
  const edited = part.edit(part.text, noted, { document: index });
  if (edited.kind === 'refused') return undefined;
  const problems = [...noticesOf(options.file, edited), ...turned.problems];
  return { text: edited.text, pulled: turned.pulled, problems };
}

function turnEach(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: RestateOptions & Pick<FilePart, 'edit'>,
): TurnedPart {
  const index = (placed[0]?.document.index ?? 0) - part.first;
  const document = valuesIn(withoutMark(part.text))[index];
  if (!isObject(document)) {
    const problems = placed.map(({ difference }) => changedMeanwhile(difference));
    return { text: part.text, pulled: [], problems };
  }
  let state: OdcsState = { text: part.text, document, notices: [] };
  const pulled: Divergence[] = [];
  const problems: Diagnostic[] = [];
  for (const own of placed) {
    const turned = turnOne(state, own, { ...options, index });
    if (turned.state.document !== state.document) pulled.push(own.difference);
    problems.push(...turned.problems);
    state = turned.state;
  }
  return { text: state.text, pulled, problems };
}

function turnOne(
  before: OdcsState,
  { difference, document }: PlacedDifference,
  options: RestateOptions & Pick<FilePart, 'edit'> & { readonly index: number },
): { readonly state: OdcsState; readonly problems: readonly Diagnostic[] } {
  const { index, edit, checks, started, inFile } = options;
  const { pointer } = document;
  const siblings = siblingsOf(document, started, inFile);
  const subject = { index, pointer, difference, siblings, checks, edit };
  const reasons = new Map<string, Reason>();
  let state: OdcsState = { ...before, notices: [] };
  for (const field of managedFields) state = pullField(state, field, { subject, reasons });
  const remaining = standingIn(state.document, subject);
  return { state, problems: [...state.notices, ...tellNotPulled(difference, remaining, reasons)] };
}

function siblingsOf(
  own: ContractDocument,
  all: readonly ContractDocument[],
  inFile: readonly Divergence[],
): readonly Sibling[] {
  const others = all.filter((each) => each !== own && each.index === own.index);
  return others.flatMap(({ place, pointer }) => {
    const difference = inFile.find(
      ({ desired: { source } }) => source.line === place.line && source.column === place.column,
    );
    return difference ? [{ pointer, difference }] : [];
  });
}

type Pulling = { readonly subject: OdcsSubject; readonly reasons: Map<string, Reason> };

function pullField(state: OdcsState, field: string, { subject, reasons }: Pulling): OdcsState {
  const before = standingIn(state.document, subject);
  if (!before || !differsIn(before, field)) return state;
  const whole = attempt(state, field, { subject, before, isMeant: () => true });
  if ('text' in whole) return whole;
  reasons.set(field, whole);
  if (field !== 'schema') return state;
  return columnNames(before, subject).reduce((current, name) => {
    const standingNow = standingIn(current.document, subject) ?? before;
    const isMeant = (column: string): boolean => column === name;
    const next = attempt(current, field, { subject, before: standingNow, isMeant });
    return 'text' in next ? next : current;
  }, state);
}

function columnNames(
  { contract: { fields } }: Standing,
  { difference: { live } }: OdcsSubject,
): readonly string[] {
  const lists = [live.document['schema'], fields['schema']].filter(isArray);
  const names = lists.flat().map((column) => (isObject(column) ? column['name'] : undefined));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

function tellNotPulled(
  difference: Divergence,
  remaining: Standing | undefined,
  reasons: ReadonlyMap<string, Reason>,
): Diagnostic[] {
  const places = (remaining?.differences ?? []).map(({ place }) => parsePointer(place) ?? []);
  const byField = Map.groupBy(places, ([field = '']) => field);
  return [...byField].map(([field, own]) => {
    const reason = reasons.get(field) ?? { kind: 'no-words' };
    return tell(difference, { field, labels: own.map(labelKeyPath), reason });
  });
}

type Untaken = {
  readonly field: string;
  readonly labels: readonly string[];
  readonly reason: Reason;
};

// An error where a person can fix the file; not one where ODCS can't express the value.
function tell({ live, desired }: Divergence, { field, labels, reason }: Untaken): Diagnostic {
  const [because, hint] = reasons[reason.kind];
  const why = reason.kind === 'refused' ? reason.reason : because;
  const place = desired.locate([field]);
  return {
    code: 'not-pulled',
    severity: reason.kind === 'no-words' ? 'warning' : 'error',
    message: `${listed(labels)} of ${contractLabel(live)} isn't pulled: ${why}`,
    hint,
    source: reason.kind === 'refused' ? { ...place, line: reason.line, column: 1 } : place,
  };
}

const reasons = {
  'no-words': [
    "ODCS can't express the catalog's value.",
    'An apply sets it to what the file says. Remove the section from the file to keep it.',
  ],
  variable: [
    'the file has a variable there.',
    'Change the value of the variable, or replace the variable with the text.',
  ],
  shared: [
    'several objects share it in the file but differ in the catalog.',
    'Make them equal in the catalog, or move the object to its own file.',
  ],
  refused: ['', 'Change the file yourself. `contract-sync plan` shows what differs.'],
} as const;

function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, 3).map((label) => `\`${label}\``);
  const more = labels.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
