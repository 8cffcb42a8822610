/** A plan turned round: the text of a file becomes what the catalog holds. Pure. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { placeProblems } from '../contract/field-check.ts';
import { contractLabel } from '../contract/identity.ts';
import { differingFields, restateFields } from '../contract/restate-fields.ts';
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { editYaml, type YamlEdit } from '../files/edit/edit.ts';
import type { EditRefusal } from '../files/edit/refusal.ts';
import { parseContractFile } from '../files/formats/contract-file.ts';
import { managedOf } from '../files/formats/desired.ts';
import { diff } from '../patch/diff.ts';
import type { Divergence, FileChecks, Turned, TurningFile } from './divergence.ts';
import { documentAt, documentsOf, withoutMark } from './document.ts';
import { turnOdcs } from './odcs/turn.ts';
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
  const pulled: Divergence[] = [];
  const problems: Diagnostic[] = [];
  const wanted = new Map([...inFile, ...differences].map((each) => [each.live.id, each]));
  let after = text;
  for (const difference of differences) {
    const turning = { file, before: text, after };
    const turned =
      difference.desired.source.format === 'odcs'
        ? turnOdcs(turning, difference, { ...checks, inFile: [...wanted.values()] })
        : turnContract(turning, difference, checks);
    problems.push(...turned.problems);
    if (turned.text === undefined) continue;
    after = turned.text;
    pulled.push(difference);
  }
  return { file, before: text, after, pulled, problems };
}

function turnContract(
  { file, before, after }: TurningFile,
  difference: Divergence,
  checks: FileChecks,
): Turned {
  const { live, desired, rules } = difference;
  const started = documentsOf({ file, text: before }, checks);
  const index = documentAt(started, desired.source);
  const document = (before === after ? started : documentsOf({ file, text: after }, checks))[index];
  if (!document) return { problems: [changedMeanwhile(difference)] };
  const restated = {
    ...document.fields,
    ...restateFields(live, managedOf(document.fields), rules),
  };
  const patch = diff(document.fields, restated, { ...rules.arrays, operations: 'rfc6902' });
  const edit = editYaml(
    after,
    patch.map(({ operation }) => operation),
    { document: document.index },
  );
  if (edit.kind === 'refused') return { problems: [editRefused(difference, edit)] };
  const wrong = objectionTo(edit, document.index, difference, checks);
  return wrong ? { problems: [wrong] } : { text: edit.text, problems: noticesOf(file, edit) };
}

/** Why the next run could not read the edited file, or would plan a change all the same. */
function objectionTo(
  { text }: YamlEdit,
  index: number,
  { live, desired, rules }: Divergence,
  { check = () => [], ...formats }: FileChecks,
): Diagnostic | undefined {
  const { contracts, diagnostics } = parseContractFile(
    { file: desired.source.file, text: withoutMark(text) },
    formats,
  );
  const document = contracts.find((contract) => contract.index === index);
  const managed: JsonObject = document ? managedOf(document.fields) : {};
  const problems = [...diagnostics, ...placeProblems(check(managed), desired)];
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
    hint: 'Change the file by hand. `contract-sync plan` shows what differs.',
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
