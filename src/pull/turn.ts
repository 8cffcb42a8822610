/** A plan turned round: the text of a file becomes what the catalog holds. Pure. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { inexactNumbers, placeProblems } from '../contract/conventions.ts';
import { contractLabel } from '../contract/identity.ts';
import { differingFields, restateFields } from '../contract/equality.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import type { YamlEdit } from '../files/edit/edit.ts';
import type { EditRefusal } from '../files/edit/refusal.ts';
import { parseContractFile } from '../files/formats/contract-file.ts';
import { managedOf } from '../files/formats/desired.ts';
import { diff } from '../patch/diff.ts';
import { complainAboutText } from '../files/read/text.ts';
import type { Divergence, FileChecks, PlacedDifference, TurnedPart } from './divergence.ts';
import { documentAt, documentsOf, withoutMark } from './document.ts';
import { type OdcsOptions, turnOdcs } from './odcs/turn.ts';
import { type FilePart, partsOfFile, readsAsPieces, wholeFile } from './parts.ts';
import { changedMeanwhile, noticesOf } from './told.ts';

/** A file as it is, and as it says what the catalog holds. */
export type TurnedFile = {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The contracts that were taken into it. */
  readonly pulled: readonly Divergence[];
  /** Errors keep back their own contract alone. */
  readonly problems: readonly Diagnostic[];
};

/** What a file is turned by, beside its text and what differs. */
export type TurnOptions = FileChecks & {
  /** All contracts of the file that the catalog has: an ODCS document says some things for several. */
  readonly inFile?: readonly Divergence[];
};

/** Brings all contracts of one file to what the catalog holds; one that can't be is left as it was. */
export function turnFile(
  { file, text }: { readonly file: string; readonly text: string },
  differences: readonly Divergence[],
  { inFile = [], ...checks }: TurnOptions,
): TurnedFile {
  const wanted = new Map([...inFile, ...differences].map((each) => [each.live.id, each]));
  const inexact = differences.filter((each) => inexactIn(each).length > 0);
  const writable = differences.filter((each) => !inexact.includes(each));
  const { lost, ...found } = findPlaces({ file, text }, writable, checks);
  const options = { ...found, file, checks, inFile: [...wanted.values()] };
  const turned = turnInParts(text, options);
  const pulled = new Set(turned.flatMap((part) => part.pulled));
  return {
    file,
    before: text,
    after: turned.map((part) => part.text).join(''),
    pulled: differences.filter((each) => pulled.has(each)),
    problems: [
      ...inexact.flatMap(inexactIn),
      ...lost.map(changedMeanwhile),
      ...turned.flatMap(({ problems }) => problems),
    ],
  };
}

/** The numbers that would not stand in the file as the catalog has them. */
function inexactIn({ live, desired, rules }: Divergence): Diagnostic[] {
  const restated = restateFields(live, desired.managed, rules);
  return placeProblems(inexactNumbers(restated), desired);
}

/** Document by document, if the whole then says what they say. */
function turnInParts(text: string, options: TurnParts): readonly TurnedPart[] {
  const parts = partsOfFile(text);
  const turned = turnParts(parts, options);
  const texts = turned.map((part) => part.text);
  const isRight = parts.length === 1 || readsAsPieces(texts.join(''), texts);
  return isRight ? turned : turnParts([wholeFile(text)], options);
}

/** The differences of a file that are where they were found, and those that are not. */
function findPlaces(
  source: { readonly file: string; readonly text: string },
  differences: readonly Divergence[],
  checks: FileChecks,
) {
  const started = documentsOf(source, checks);
  const placed: PlacedDifference[] = [];
  const lost: Divergence[] = [];
  for (const difference of differences) {
    const document = started[documentAt(started, difference.desired.source)];
    if (document) placed.push({ difference, document });
    else lost.push(difference);
  }
  return { started, placed, lost };
}

type TurnParts = OdcsOptions & { readonly placed: readonly PlacedDifference[] };

function turnParts(parts: readonly FilePart[], options: TurnParts): readonly TurnedPart[] {
  const byPart = Map.groupBy(options.placed, ({ document }) =>
    parts.findLastIndex(({ first }) => first <= document.index),
  );
  return parts.map((part, index) => turnPart(part, byPart.get(index) ?? [], options));
}

/** The contracts of a part: those of one ODCS document together, others one after the other. */
function turnPart(
  part: FilePart,
  placed: readonly PlacedDifference[],
  options: OdcsOptions,
): TurnedPart {
  let turned: TurnedPart = { text: part.text, pulled: [], problems: [] };
  const groups = Map.groupBy(placed, (own) => (own.document.odcs ? own.document.index : own));
  for (const [key, group] of groups) {
    const current = { ...part, text: turned.text };
    const isOdcs = typeof key === 'number';
    const next = isOdcs ? turnOdcs(current, group, options) : turnContract(current, key, options);
    turned = {
      text: next.text,
      pulled: [...turned.pulled, ...next.pulled],
      problems: [...turned.problems, ...next.problems],
    };
  }
  return turned;
}

function turnContract(
  part: FilePart,
  { difference, document }: PlacedDifference,
  { file, checks }: OdcsOptions,
): TurnedPart {
  const kept = { text: part.text, pulled: [] };
  const { live, rules } = difference;
  const restated = {
    ...document.fields,
    ...restateFields(live, managedOf(document.fields), rules),
  };
  const patch = diff(document.fields, restated, rules.arrays);
  const index = document.index - part.first;
  const edit = part.edit(
    part.text,
    patch.map(({ operation }) => operation),
    { document: index },
  );
  if (edit.kind === 'refused') return { ...kept, problems: [editRefused(difference, edit)] };
  const wrong = objectionTo(edit, index, difference, checks);
  if (wrong) return { ...kept, problems: [wrong] };
  return { text: edit.text, pulled: [difference], problems: noticesOf(file, edit) };
}

/** Why the next run could not read the edited file, or would plan a change all the same. */
function objectionTo(
  { text }: YamlEdit,
  index: number,
  { live, desired, rules }: Divergence,
  { check = () => [], ...formats }: FileChecks,
): Diagnostic | undefined {
  const { file } = desired.source;
  const { contracts, diagnostics } = parseContractFile({ file, text: withoutMark(text) }, formats);
  const document = contracts.find((contract) => contract.index === index);
  const managed: JsonObject = document ? managedOf(document.fields) : {};
  const unreadable = complainAboutText(file, text);
  const problems = [
    ...(unreadable ? [unreadable] : []),
    ...diagnostics,
    ...placeProblems(check(managed), desired),
  ];
  if (!document || hasErrors(problems)) {
    return unreadableAfter(
      live,
      desired,
      problems.find(({ severity }) => severity === 'error'),
    );
  }
  return differingFields(live, managed, rules).size > 0 ? stillDiffers(live, desired) : undefined;
}

function editRefused({ live, desired }: Divergence, { line, reason }: EditRefusal): Diagnostic {
  return {
    code: 'edit-refused',
    severity: 'error',
    message: `${contractLabel(live)} can't be pulled: ${reason}`,
    hint: 'Change the file yourself. `contract-sync plan` shows what differs.',
    source: { file: desired.source.file, line, column: 1 },
  };
}

function unreadableAfter(
  live: LiveContract,
  { source }: DesiredContract,
  problem: Diagnostic | undefined,
): Diagnostic {
  return {
    code: 'not-for-files',
    severity: 'error',
    message:
      `${contractLabel(live)} can't be pulled: the catalog's content is not valid in a file. ${problem?.message ?? ''}`.trim(),
    hint: problem?.hint ?? 'Correct the contract in the catalog.',
    source,
  };
}

function stillDiffers(live: LiveContract, { source }: DesiredContract): Diagnostic {
  return {
    code: 'still-differs',
    severity: 'error',
    message: `${contractLabel(live)} can't be pulled: the file would still differ from the catalog.`,
    hint: 'This is a bug in contract-sync: please report it with the contract.',
    source,
  };
}
