import { type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { plannedChanges, type Plan } from '../plan/plan.ts';
import { sentence } from '../report/markdown-text.ts';
import {
  type CommentHeader,
  formatBody,
  formatChanges,
  formatHeader,
  packPlan,
  recordChanges,
  type RecordedChange,
  whyNotRecorded,
} from './comment.ts';
import type { PullRequest } from './event.ts';
import { createComment, deleteComment, type GitHub, updateComment } from './github.ts';
import { type Commented, findComments, type HeadedComment } from './records.ts';
import {
  type AppliedResult,
  type Failure,
  type PageOptions,
  type PlanResult,
  renderResult,
  type StepResult,
} from './result.ts';
import { markStaleComments, needsRecord, rewriteComment, settleRecords } from './settle.ts';
import { commentKey, runLink, sharedInputs, type Step } from './step.ts';

type Reported = {
  readonly shown: StepResult;
  readonly options: Omit<PageOptions, 'budget'>;
  readonly original: StepResult;
  readonly before: Promise<Commented | undefined>;
};

export async function lookBefore(step: Step): Promise<Commented | undefined> {
  const { github, inputs, run } = step;
  if (!github || !run.pullRequest || inputs.command !== 'plan') return undefined;
  if (inputs.comment === 'off') return undefined;
  return findComments(step, github, run.pullRequest.number);
}

export function closedNote({ run }: Step, before: Commented | undefined): string {
  if (before?.isOpen !== false) return '';
  const subject = `Pull request ${run.pullRequest?.number} is no longer open`;
  return `> [!NOTE]\n> ${subject}: its comment stays as it is, and this plan approves nothing.\n\n`;
}

/** A plan that can't be written there is a failure: nobody could approve it. */
export async function reportComment(step: Step, reported: Reported): Promise<Failure | undefined> {
  const { github, inputs, log } = step;
  const { original } = reported;
  if (github && original.kind === 'apply') {
    const unrecorded = await reportApply(step, github, original);
    if (unrecorded) return unrecorded;
  }
  if (inputs.comment === 'off') return undefined;
  const target = targetOf(step, original);
  if (!target) return undefined;
  if (!github) {
    return notWritten(step, target, {
      message: 'The input `github-token` is empty.',
      hint: 'Remove it to use the job’s own token, or set `comment: off`.',
    });
  }
  try {
    const done = await writeComment(step, github, target, reported);
    log.text(`Comment of pull request ${target.pull.number}: ${done}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return notWritten(step, target, error);
  }
}

const spentLater =
  'Until the job is run again and writes it, what was applied still counts as approved.';

// Applied changes stay applied, but an approval counts until it is recorded as spent.
async function reportApply(step: Step, github: GitHub, applied: AppliedResult) {
  let rest = needsRecord(applied) ? ` ${spentLater}` : '';
  try {
    const settled = await settleRecords(step, github, applied);
    rest = '';
    if (step.inputs.comment === 'off') return undefined;
    const stale = await markStaleComments(step, github, applied);
    step.log.text(
      `Comments of merged pull requests: ${settled} updated. Open ones: ${stale} stale.`,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { message, hint } = error;
    const isRecord = rest !== '' && applied.failure === undefined;
    const target = { subject: 'outcome', isRecord } as const;
    return notWritten(step, target, { message: `${message}${rest}`, hint });
  }
}

// A failure where an approval depends on the comment, else a warning.
function notWritten(
  { run, log }: Step,
  { subject, isRecord }: Pick<Target, 'subject' | 'isRecord'>,
  { message: reason, hint = '' }: { readonly message: string; readonly hint?: string | undefined },
): Failure | undefined {
  const message = `Can't write the ${subject} to the pull request. ${reason}`;
  // A fork's token can only read, and its plan is approved in another pull request.
  if (isRecord && run.pullRequest?.untrusted !== true) return { reason: 'github', message, hint };
  log.annotate({ code: 'github', severity: 'warning', message, hint });
  return undefined;
}

type Target = {
  readonly pull: PullRequest;
  readonly subject: 'plan' | 'outcome';
  readonly worthCreating: boolean;
  readonly isRecord: boolean;
  readonly note?: string;
};

// A plan in a merge queue or on a schedule is no review.
function targetOf(step: Step, result: StepResult): Target | undefined {
  const { pullRequest: pull } = step.run;
  if (result.kind === 'plan') return pull && planTarget(step, pull, result);
  if (result.kind === 'validation') return undefined;
  const { own } = result.records;
  const isWritten =
    !own || own.comment?.isEdited === false || plannedChanges(result.plan).length === 0;
  const target = { subject: 'outcome', worthCreating: true, isRecord: false } as const;
  return isWritten ? undefined : { ...target, pull: own.pull };
}

function planTarget(step: Step, pull: PullRequest, { plan, failure, policy }: PlanResult) {
  // Such a workflow has planned nothing of the pull request, so what is known of it still holds.
  if (failure?.fault === 'workflow') return undefined;
  const isMistake = failure?.fault === 'repository' || plan.diagnostics.some(isOfFiles);
  // A plan made without the catalog leaves the reviewed one in place.
  const isPlanned = plan.planHash !== undefined || failure?.reason === 'invalid-contracts';
  if (failure && !isPlanned) {
    const words = `This plan is out of date: ${runLink(step)} couldn't make a new one.`;
    const note = `> [!WARNING]\n> ${words} Re-run it before you merge. ${sentence(failure.message)}`;
    return { pull, subject: 'plan', worthCreating: isMistake, isRecord: false, note } as const;
  }
  const isRecord = plan.errored || plannedChanges(plan).length > 0 || plan.summary.missing > 0;
  const isWanted = plan.planHash === undefined ? isMistake : isRecord;
  const worthCreating = isWanted || policy !== undefined;
  return { pull, subject: 'plan', worthCreating, isRecord } as const;
}

// The author of a pull request can mend its files; a mistake in the workflow is somebody else's.
function isOfFiles({ severity, source }: Diagnostic): boolean {
  return severity === 'error' && source !== undefined;
}

const newer = 'left as a later run wrote it';

// `closed`: after a merge, the reviewed plan stays as it is.
type CommentResult = 'created' | 'updated' | 'unchanged' | typeof newer | 'needless' | 'closed';

async function writeComment(step: Step, github: GitHub, target: Target, reported: Reported) {
  const { pull, note, worthCreating } = target;
  const before = await reported.before;
  // A later comment or a merge is detected once ours is created.
  const isNew = worthCreating && before?.isOpen === true && !before.record;
  const existing = isNew ? before : await findComments(step, github, pull.number);
  const { isOpen, record } = existing;
  if (reported.original.kind === 'plan' && !isOpen) return 'closed';
  if (note === undefined || (!record && worthCreating))
    return putRecord(step, github, existing, { ...target, ...reported });
  if (record?.isEdited !== false) return 'needless';
  const [header] = headersOf(step, pull, reported.original);
  if (isNewer(record, header)) return newer;
  await rewriteComment(step, github, record, { note });
  return 'updated';
}

async function putRecord(
  step: Step,
  github: GitHub,
  { all, record }: Commented,
  reported: Target & Reported,
): Promise<CommentResult> {
  const { pull, worthCreating } = reported;
  const [first, ...further] = headersOf(step, pull, reported.original);
  if (all.some((comment) => isNewer(comment, first))) return newer;
  if (!record && !worthCreating) return 'needless';
  const page = pageOf(step, first, reported);
  const bodyOf = (header: CommentHeader): string => {
    const text = header.part === 1 ? page : partPage(header);
    return formatBody(header, { notes: [], page: text }, step.run.repositoryPage);
  };
  const made: MadeRecord = { pull, headers: [first, ...further], bodyOf };
  if (!record || step.inputs.comment === 'recreate') return createRecord(step, github, all, made);
  return (await writeComments(github, all, made)) === 0 ? 'unchanged' : 'updated';
}

type MadeRecord = {
  readonly pull: PullRequest;
  readonly headers: readonly [CommentHeader, ...CommentHeader[]];
  readonly bodyOf: (header: CommentHeader) => string;
};

// Two runs may create one at the same time: the oldest stays, with the text of the later run.
async function createRecord(
  step: Step,
  github: GitHub,
  old: readonly HeadedComment[],
  made: MadeRecord,
): Promise<CommentResult> {
  const { pull, headers, bodyOf } = made;
  const [header] = headers;
  const body = bodyOf(header);
  const id = await createComment(github, pull.number, body);
  const { isOpen, all } = await findComments(step, github, pull.number);
  if (!isOpen && header.planHash !== undefined) {
    await deleteComment(github, id);
    return 'closed';
  }
  for (const each of old) await deleteComment(github, each.id);
  const found = all.filter((each) => !old.some((one) => one.id === each.id));
  if (found.some((each) => isNewer(each, header))) {
    // The later run writes into the oldest, also where that is ours.
    if (found[0]?.id !== id) await deleteComment(github, id);
    return newer;
  }
  const isListed = found.some((each) => each.id === id);
  const created = { id, body, author: '', isEdited: false, header };
  await writeComments(github, isListed ? found : [...found, created], made);
  return found[0] && found[0].id !== id ? 'updated' : 'created';
}

function partPage({ part, parts }: CommentHeader): string {
  return `Part ${part} of ${parts} of the record of this plan. The apply after the merge reads it: leave it as it is.`;
}

// Comments of an earlier plan are used again or deleted. Returns how many are not as they were.
async function writeComments(
  github: GitHub,
  existing: readonly HeadedComment[],
  { pull, headers, bodyOf }: MadeRecord,
): Promise<number> {
  const left = new Set(existing);
  let written = 0;
  for (const header of headers) {
    const old = existing.find((each) => each.header.part === header.part);
    if (old) left.delete(old);
    if (old && isSame(old, header, bodyOf)) continue;
    if (old) await updateComment(github, old.id, bodyOf(header));
    else await createComment(github, pull.number, bodyOf(header));
    written += 1;
  }
  for (const { id } of left) await deleteComment(github, id);
  return written;
}

// A new run, attempt or time alone must not show the comment as edited, nor must main that moved.
function isSame(
  { header: old, body, isEdited }: HeadedComment,
  header: CommentHeader,
  bodyOf: MadeRecord['bodyOf'],
): boolean {
  const { run, attempt, time, base } = old;
  const known = { ...header, run, attempt, time, ...(base && header.base && { base }) };
  return !isEdited && bodyOf(known).trim() === body.replaceAll('\r\n', '\n').trim();
}

// Of two plans of one commit the later one counts, also where an earlier run was run again.
function isNewer({ header }: HeadedComment, { head, time, run, attempt }: CommentHeader): boolean {
  if (header.head === head) return header.time > time;
  return header.run > run || (header.run === run && header.attempt > attempt);
}

// GitHub takes 65,536 characters; later notes need room too.
const commentBudget = 58_000;

function pageOf(step: Step, header: CommentHeader, { shown, options }: Reported): string {
  const budget = commentBudget - Buffer.byteLength(formatHeader(header));
  const rest = `All of it is in the [summary of the run](${step.run.page}).`;
  const handles = shown.kind === 'plan' ? shown.handles : undefined;
  const page = { ...options, budget, rest, isComment: true, handles };
  return step.redactor.redact(renderResult(shown, page));
}

function headersOf(step: Step, pull: PullRequest, original: StepResult): MadeRecord['headers'] {
  const { run, inputs } = step;
  const shared = {
    key: commentKey(step),
    inputs: sharedInputs(step),
    label: inputs.label ?? inputs.catalogUrl ?? '',
    head: pull.headSha,
    base: original.kind === 'validation' ? '' : (original.plan.base ?? ''),
    branch: run.branch,
    run: run.runId,
    attempt: run.attempt,
    time: run.startedAt,
  };
  const plan = approvablePlan(original);
  if (!plan) {
    const isOutcome = original.kind === 'apply';
    const applied = isOutcome && !original.failure ? run.sha : undefined;
    return [{ ...shared, changes: [], part: 1, parts: 1, isOutcome, applied }];
  }
  const { planHash } = plan;
  const [changes = [], ...further] = recordChanges(plan);
  const parts = 1 + further.length;
  const packed = parts === 1 ? packInto(changes, plan, step) : undefined;
  const rest = further.map((each, index) => {
    return { ...shared, planHash, changes: each, part: index + 2, parts };
  });
  return [{ ...shared, planHash, changes, part: 1, parts, plan: packed }, ...rest];
}

// A plan that the apply after the merge would not make approves nothing.
function approvablePlan(original: StepResult): Plan | undefined {
  if (original.kind !== 'plan' || original.policy?.severity === 'error') return undefined;
  const { plan } = original;
  return plan.planHash === undefined || whyNotRecorded(plan) ? undefined : plan;
}

// Characters, to leave most of the comment to the page.
const mostPacked = 20_000;

function packInto(changes: readonly RecordedChange[], plan: Plan, { redactor }: Step) {
  // Packed text can't be searched for secrets.
  const text = JSON.stringify(plan.contracts);
  if (redactor.redact(text) !== text) return undefined;
  const packed = packPlan(plan);
  return packed.length + formatChanges(changes).length <= mostPacked ? packed : undefined;
}
