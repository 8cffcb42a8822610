/** An ODCS document brought to what the catalog holds, section by section. Pure. */

import { managedFields } from '../../contract/contract.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { ContractDocument } from '../../files/formats/contract-file.ts';
import { valuesIn } from '../../files/read/document.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Operation } from '../../patch/operation.ts';
import type { Divergence, FileChecks, PlacedDifference, TurnedPart } from '../divergence.ts';
import { withoutMark } from '../document.ts';
import type { FilePart } from '../parts.ts';
import { changedMeanwhile, noticesOf } from '../told.ts';
import { attempt, type OdcsState, type Reason, type Sibling, type OdcsSubject } from './attempt.ts';
import { tellNotPulled } from './not-pulled.ts';
import { differsIn, type Standing, standingIn } from './standing.ts';

/** What a document is turned by, beside its text and what differs. */
export type OdcsOptions = {
  readonly file: string;
  readonly checks: FileChecks;
  /** All contracts of the file. */
  readonly started: readonly ContractDocument[];
  /** Those of them that the catalog has. */
  readonly inFile: readonly Divergence[];
};

/**
 * Takes what ODCS has words for; the rest stays as the file says, and is told. All that is of one
 * document is edited in one step; where that can't be, in halves, and at last field by field.
 */
export function turnOdcs(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: OdcsOptions,
): TurnedPart {
  const together = turnTogether(part, placed, options);
  if (together) return together;
  if (placed.length < 2) return turnEach(part, placed, { ...options, edit: part.edit });
  const half = Math.ceil(placed.length / 2);
  const first = turnOdcs(part, placed.slice(0, half), options);
  const second = turnOdcs({ ...part, text: first.text }, placed.slice(half), options);
  return {
    text: second.text,
    pulled: [...first.pulled, ...second.pulled],
    problems: [...first.problems, ...second.problems],
  };
}

function turnTogether(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: OdcsOptions,
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

/** One contract after the other. */
function turnEach(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: OdcsOptions & Pick<FilePart, 'edit'>,
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
  options: OdcsOptions & Pick<FilePart, 'edit'> & { readonly index: number },
): { readonly state: OdcsState; readonly problems: readonly Diagnostic[] } {
  const { index, edit, checks, started, inFile } = options;
  const pointer = document.odcs?.pointer ?? [];
  const siblings = siblingsOf(document, started, inFile);
  const subject = { index, pointer, difference, siblings, checks, edit };
  const reasons = new Map<string, Reason>();
  let state: OdcsState = { ...before, notices: [] };
  for (const field of managedFields) state = pullField(state, field, { subject, reasons });
  const remaining = standingIn(state.document, subject);
  return { state, problems: [...state.notices, ...tellNotPulled(difference, remaining, reasons)] };
}

/** The other contracts of a document that the catalog has. */
function siblingsOf(
  own: ContractDocument,
  all: readonly ContractDocument[],
  inFile: readonly Divergence[],
): readonly Sibling[] {
  const others = all.filter((each) => each !== own && each.index === own.index);
  return others.flatMap(({ place, odcs }) => {
    const difference = inFile.find(
      ({ desired: { source } }) => source.line === place.line && source.column === place.column,
    );
    return difference && odcs ? [{ pointer: odcs.pointer, difference }] : [];
  });
}

type Pulling = { readonly subject: OdcsSubject; readonly reasons: Map<string, Reason> };

/** The field as a whole; else, of a schema, the columns for which it can be done. */
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
