/** Whose policy judges a plan: that of the base, or that of the pull request. */

import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { planNow } from '../commands/plan.ts';
import { withSlashes } from '../config/file.ts';
import { type BasePolicy, type PolicyChange, readBasePolicy } from '../config/policy.ts';
import { defaultInclude, resolveFileSettings } from '../config/settings.ts';
import { ConfigError, type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { deepEqual, defined, isObject, type JsonArray, type JsonValue } from '../core/json.ts';
import { clip } from '../core/text.ts';
import { selectNames } from '../files/find/find.ts';
import { openRepository, readCommit } from '../files/git/repository.ts';
import { foldersUpwards } from '../files/git/run-git.ts';
import { heldChanges, type Plan } from '../plan/plan.ts';
import type { ConfiguredRules } from '../plan/rules.ts';
import { neededExceptions, ofSeverity, planVerdict } from '../report/problems.ts';
import type { PendingAt } from '../session.ts';
import { type PlanBase, readPending } from './base.ts';
import type { Inputs } from './inputs.ts';
import { openCatalog, type Step } from './step.ts';

/** Rules are undefined where they are those of the checked-out files. */
export type PlanPolicy = {
  readonly rules?: ConfiguredRules | undefined;
  readonly problem?: Diagnostic;
  /** Absent where the base, or its policy, can't be read. */
  readonly base?: BasePolicy;
  /** Each entry of long lists that the pull request changes, and what its policy warns of. */
  readonly details?: readonly Diagnostic[];
  /** Entries of `allow` that the changed policy makes needless. */
  readonly covered?: readonly string[];
  /** The other of two policies that differ, by which a plan is made too. */
  readonly other?: { readonly rules: ConfiguredRules | undefined };
};

/** Plans by the policy that judges; where the pull request changes it, by the other one too. */
export async function planByPolicy(step: Step, base: PlanBase) {
  const policy = choosePolicy(step, base);
  let waiting: Promise<PendingAt> | undefined;
  // Read once, so that an apply meanwhile can't make the two plans differ.
  const compared = { ...base, readPending: async () => (waiting ??= readPending(step)) };
  const session = await openCatalog(step, { ...compared, rules: policy.rules });
  const planned = await planNow(session);
  const details = entryProblems(policy);
  if (!policy.problem || !policy.other) return { session, planned, policy: { ...policy, details } };
  const other = await openCatalog(step, { ...compared, ...policy.other, earlier: session });
  const byOther = await planNow(other);
  const problem = comparePolicies(policy.problem, step.inputs.policy, planned, byOther);
  // Such as an entry of `allow` without a place.
  const isJudge = step.inputs.policy === 'head';
  if (!isJudge) {
    const known = planned.diagnostics.map(({ message }) => message);
    for (const warning of ofSeverity(byOther.diagnostics, 'warning')) {
      // The same words as often as the plan has them.
      const index = known.indexOf(warning.message);
      if (index < 0) details.push(warning);
      else known.splice(index, 1);
    }
  }
  const covered = isJudge || byOther.planHash === undefined ? [] : coveredBy(byOther, planned);
  return { session, planned, policy: { ...policy, problem, details, covered } };
}

function coveredBy(byOther: Plan, planned: Plan): string[] {
  const open = neededExceptions(byOther);
  return [...neededExceptions(planned).keys()].filter((entry) => !open.has(entry));
}

function choosePolicy(step: Step, { revision, problem }: PlanBase): PlanPolicy {
  const { inputs, run } = step;
  if (!run.pullRequest && !run.queued) return {};
  if (revision === undefined) {
    if (inputs.policy !== 'base') return {};
    const message = "The policy of the base can't be used: this clone doesn't have the base.";
    throw new ConfigError('no-such-revision', message, { hint: problem?.hint });
  }
  const base = readPolicy(step, revision);
  if ('problem' in base) return base;
  const isOwn = inputs.policy === 'head';
  const rules = isOwn ? undefined : base.rules;
  if (base.changed.length === 0) return { rules, base };
  const changed = changedPolicy(base);
  if (inputs.policy === undefined && isFirst(step, base)) {
    const hint = 'It judges this plan, since the base has neither a policy nor contracts.';
    return { problem: { ...changed, hint }, base };
  }
  return { rules, problem: changed, base, other: { rules: isOwn ? base.rules : undefined } };
}

function isFirst(step: Step, { commit, hasFile }: BasePolicy): boolean {
  if (hasFile) return false;
  const { folder, root, paths, inputs } = step;
  const { config, environment: env } = inputs;
  const { include, exclude } = resolveFileSettings({ config, env }, {}, root);
  const now = { root, include, exclude, named: paths };
  const top = foldersUpwards(folder).at(-1) ?? folder;
  // Its own `contracts` could leave out what the base has.
  const before = { root: folder, include: defaultInclude, exclude: [], named: inputs.paths };
  const selections = [now, before].map((selection) => {
    const isContract = selectNames(selection);
    return (file: string) => isContract(withSlashes(relative(selection.root, join(top, file))));
  });
  const isSelected = ({ file }: { readonly file: string }) => selections.some((has) => has(file));
  return readCommit(commit, openRepository(top), isSelected).length === 0;
}

// Returns a problem where it can, so that a change that repairs the policy can be planned.
function readPolicy(step: Step, revision: string): BasePolicy | { readonly problem: Diagnostic } {
  const { folder, root, repository, inputs } = step;
  const { config, environment: env } = inputs;
  try {
    return readBasePolicy(revision, { folder, root, repository, config, env });
  } catch (error) {
    if (inputs.policy === 'base' || !(error instanceof SyncError)) throw error;
    const message = `Whether this pull request changes the policy that judges it is unknown: the policy of the base can't be read: ${error.message}`;
    return { problem: { code: 'policy-unknown', severity: 'warning', message } };
  }
}

function changedPolicy({ changed, source }: BasePolicy): Diagnostic {
  const looser = changed.filter(({ loosens }) => loosens).map(changeText);
  const others = changed.filter(({ loosens }) => !loosens).map(changeText);
  const sentences = [
    ...(looser.length > 0 ? [`loosens its own checks: ${looser.join(', ')}`] : []),
    ...(others.length > 0 ? [`changes the policy: ${others.join(', ')}`] : []),
  ];
  return {
    code: 'policy-changed',
    severity: 'warning',
    message: `This pull request ${sentences.join('. It also ')}.`,
    ...defined({ source }),
  };
}

export function changeText(change: PolicyChange): string {
  const { setting, before, after } = change;
  const entries = entriesChanged(change);
  if (!entries) return `\`${setting}\` ${valueText(before)} → ${valueText(after)}`;
  if (entries.length === 0) return `\`${setting}\` orders its entries anew`;
  const whole = entries.join(', ');
  const words = whole.length > longestChange ? `changes in ${entries.length} entries` : whole;
  return `\`${setting}\` ${words}`;
}

// UTF-16 code units.
const longestChange = 400;
const longestValue = 200;

// Those that are too long for one sentence have one each.
function entryProblems({ base, problem }: PlanPolicy): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (!problem) return problems;
  const { hint: _ofAll, ...about } = problem;
  for (const change of base?.changed ?? []) {
    const entries = entriesChanged(change) ?? [];
    if (entries.join(', ').length <= longestChange) continue;
    for (const entry of entries)
      problems.push({ ...about, message: `\`${change.setting}\` ${entry}.` });
  }
  return problems;
}

// A changed entry names the same first thing, such as the contract, and has half of its members as
// before.
function entriesChanged({ before, after }: PolicyChange): string[] | undefined {
  if (![before, after].some((value) => typeof value === 'object')) return undefined;
  const [was, is] = [entriesOf(before), entriesOf(after)];
  const removed = was.filter((entry) => !hasEntry(is, entry));
  const added = is.filter((entry) => !hasEntry(was, entry));
  const texts: string[] = [];
  for (const entry of added) {
    const index = removed.findIndex((earlier) => isSameEntry(earlier, entry));
    const [earlier] = index < 0 ? [] : removed.splice(index, 1);
    if (earlier === undefined) texts.push(`adds ${entryText(entry)}`);
    else texts.push(`changes ${entryText(earlier)} → ${entryText(entry)}`);
  }
  return texts.concat(removed.map((entry) => `removes ${entryText(entry)}`));
}

function entriesOf(value: JsonValue | undefined): JsonArray {
  if (isObject(value)) return Object.entries(value).map(([key, each]) => ({ [key]: each }));
  return [value ?? []].flat();
}

function hasEntry(entries: JsonArray, wanted: JsonValue): boolean {
  return entries.some((entry) => deepEqual(entry, wanted));
}

function isSameEntry(one: JsonValue, other: JsonValue): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  const members = Object.entries(one);
  const alike = members.map(([member, value]) => deepEqual(other[member], value));
  return alike[0] === true && 2 * alike.filter(Boolean).length >= members.length;
}

/** As YAML on one line, each member cut for itself, so that none can hide another. */
function entryText(entry: JsonValue): string {
  if (!isObject(entry)) return spelled(entry);
  const members = Object.entries(entry).map(([member, value]) => `${member}: ${spelled(value)}`);
  return `{ ${members.join(', ')} }`;
}

function spelled(value: JsonValue): string {
  if (typeof value === 'string' && /^[\w.@/-]+$/u.test(value)) return clip(value, longestValue);
  const text = typeof value === 'string' ? clip(value, longestValue) : value;
  return JSON.stringify(text).replaceAll('`', String.raw`\u0060`);
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function comparePolicies(
  { source, ...problem }: Diagnostic,
  judge: Inputs['policy'],
  plan: Plan,
  byOther: Plan,
): Diagnostic {
  const other = planVerdict(byOther);
  if (judge === 'head') {
    const hint = `The changed policy judges this plan. By that of the base, it is "${other}". To be judged by it, set the input \`policy: base\`.`;
    return { ...problem, hint, ...defined({ source }) };
  }
  const isSame =
    plan.planHash === byOther.planHash &&
    plan.errored === byOther.errored &&
    isDeepStrictEqual(agreementsIn(plan), agreementsIn(byOther)) &&
    planVerdict(plan) === other;
  if (isSame) {
    const hint = 'The policy of the base judges this plan; by the changed one it is the same.';
    return { ...problem, hint, ...defined({ source }) };
  }
  // The apply after the merge goes by the changed policy, so both must give the same plan.
  const { blocked, missing } = plan.summary;
  const isGood = !plan.errored && blocked + missing + heldChanges(plan).length === 0;
  const order = isGood ? 'after' : 'before';
  const hint = `The policy of the base judges this plan; by the changed one, which the apply goes by, it is another, "${other}". Move the change of the policy into a pull request of its own, and merge that one ${order} this one.`;
  return { ...problem, severity: 'error', hint };
}

// Who has to agree, and what needs no agreement, is policy too.
function agreementsIn({ contracts }: Plan) {
  return contracts.map((contract) => ('agreement' in contract ? contract.agreement : undefined));
}
