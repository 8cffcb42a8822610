/** A plan turned round: the text of a file becomes what the catalog holds. Pure. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { type FieldCheck, placeProblems } from '../contract/field-check.ts';
import { contractLabel } from '../contract/identity.ts';
import { differingFields, restateFields, type RestateRules } from '../contract/restate-fields.ts';
import { type Diagnostic, hasErrors, type SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { editYaml, type YamlEdit } from '../files/edit/edit.ts';
import type { EditRefusal } from '../files/edit/refusal.ts';
import { type ContractDocument, parseContractFile } from '../files/formats/contract-file.ts';
import { managedOf } from '../files/formats/desired.ts';
import { diff } from '../patch/diff.ts';

/** A live contract that is not as its file says. */
export type Divergence = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly rules: RestateRules;
  /** The file as it was before changes of its own, which the catalog knows nothing of. */
  readonly base?: DesiredContract;
};

/** What a file is checked for, so that the next run can read it. */
export type FileChecks = {
  readonly statuses?: readonly string[] | undefined;
  readonly check?: FieldCheck | undefined;
};

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

/** Brings all contracts of one file to what the catalog holds; one that can't be is left as it was. */
export function turnFile(
  { file, text }: { readonly file: string; readonly text: string },
  differences: readonly Divergence[],
  checks: FileChecks,
): TurnedFile {
  const pulled: Divergence[] = [];
  const problems: Diagnostic[] = [];
  let after = text;
  for (const difference of differences) {
    const turned = turnContract({ file, before: text, after }, difference, checks);
    if ('refused' in turned) {
      problems.push(turned.refused);
    } else {
      after = turned.text;
      pulled.push(difference);
      problems.push(...turned.notices);
    }
  }
  return { file, before: text, after, pulled, problems };
}

type Turned =
  | { readonly text: string; readonly notices: readonly Diagnostic[] }
  | { readonly refused: Diagnostic };

function turnContract(
  { file, before, after }: Pick<TurnedFile, 'file' | 'before' | 'after'>,
  difference: Divergence,
  checks: FileChecks,
): Turned {
  const { live, desired, rules } = difference;
  if (desired.source.format === 'odcs') return { refused: otherFormat(difference) };
  const started = documentsOf(file, before);
  const index = documentAt(started, desired.source);
  const document = (before === after ? started : documentsOf(file, after))[index];
  if (!document) return { refused: changedMeanwhile(difference) };
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
  if (edit.kind === 'refused') return { refused: editRefused(difference, edit) };
  const wrong = objectionTo(edit, document.index, difference, checks);
  return wrong ? { refused: wrong } : { text: edit.text, notices: noticesOf(file, edit) };
}

/** Which of the sound documents starts at a place, or -1; edits move the lines, and not the order. */
function documentAt(documents: readonly ContractDocument[], source: SourcePosition): number {
  return documents.findIndex(
    ({ place }) => place.line === source.line && place.column === source.column,
  );
}

function documentsOf(file: string, text: string): readonly ContractDocument[] {
  return parseContractFile({ file, text: withoutMark(text) }).contracts;
}

/** As files are read: columns count from behind a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

/** Why the next run could not read the edited file, or would plan a change all the same. */
function objectionTo(
  { text }: YamlEdit,
  index: number,
  { live, desired, rules }: Divergence,
  { statuses, check = () => [] }: FileChecks,
): Diagnostic | undefined {
  const { contracts, diagnostics } = parseContractFile(
    { file: desired.source.file, text: withoutMark(text) },
    { statuses },
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

function noticesOf(file: string, { notices }: YamlEdit): Diagnostic[] {
  return notices.map(({ line, message }) => ({
    code: 'pull-notice',
    severity: 'information',
    message,
    source: { file, line, column: 1 },
  }));
}

function editRefused({ live, desired }: Divergence, { line, reason }: EditRefusal): Diagnostic {
  return {
    code: 'edit-refused',
    severity: 'error',
    message: `${contractLabel(live)} can't be pulled: ${reason}`,
    hint: 'Change the file by hand; `contract-sync plan` shows what differs.',
    source: { file: desired.source.file, line, column: 1 },
  };
}

function otherFormat({ live, desired: { source } }: Divergence): Diagnostic {
  return {
    code: 'edit-refused',
    severity: 'error',
    message: `${contractLabel(live)} can't be pulled: its file is in the Open Data Contract Standard.`,
    hint: 'Change the file by hand; `contract-sync plan` shows what differs.',
    source,
  };
}

function changedMeanwhile({ desired: { source } }: Divergence): Diagnostic {
  return {
    code: 'file-changed',
    severity: 'error',
    message: 'The file changed while it was compared with the catalog.',
    hint: 'Pull again.',
    source,
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
      `${contractLabel(live)} can't be pulled: a file can't hold what the catalog has. ${problem?.message ?? ''}`.trim(),
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
