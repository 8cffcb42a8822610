/** An ODCS document brought to what the catalog holds, section by section. Pure. */

import { managedFields } from '../../contract/contract.ts';
import { isArray, isObject } from '../../core/json.ts';
import type { ContractDocument } from '../../files/formats/contract-file.ts';
import { valuesIn } from '../../files/read/document.ts';
import type { Divergence, FileChecks, Turned, TurningFile } from '../divergence.ts';
import { documentAt, documentsOf, withoutMark } from '../document.ts';
import { changedMeanwhile } from '../told.ts';
import { attempt, type OdcsState, type Reason, type Sibling, type OdcsSubject } from './attempt.ts';
import { tellNotPulled } from './not-pulled.ts';
import { differsIn, type Standing, standingIn } from './standing.ts';

type Options = FileChecks & { readonly inFile: readonly Divergence[] };

/** Takes what ODCS has words for; the rest stays as the file says, and is told. */
export function turnOdcs(
  turning: TurningFile,
  difference: Divergence,
  { inFile, ...checks }: Options,
): Turned {
  const { file, before, after } = turning;
  const started = documentsOf({ file, text: before }, checks);
  const own = started[documentAt(started, difference.desired.source)];
  const document = own && valuesIn(withoutMark(after))[own.index];
  if (!own?.odcs || !isObject(document)) return { problems: [changedMeanwhile(difference)] };
  const { index, odcs } = own;
  const siblings = siblingsOf(own, started, inFile);
  const subject = { index, pointer: odcs.pointer, difference, siblings, checks };
  const reasons = new Map<string, Reason>();
  let state: OdcsState = { text: after, document, notices: [] };
  for (const field of managedFields) state = pullField(state, field, { subject, reasons });
  const remaining = standingIn(state.document, subject);
  const problems = [...state.notices, ...tellNotPulled(difference, remaining, reasons)];
  return state.text === after ? { problems } : { text: state.text, problems };
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
