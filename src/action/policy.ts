import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BasePolicy, type PolicyChange, readBasePolicy } from '../config/policy.ts';
import { defaultFile, loadFile, nameInRoot, withSlashes } from '../config/file.ts';
import { defaultInclude, resolveFileSettings } from '../config/settings.ts';
import { ConfigError, type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { defined, isArray, type JsonValue } from '../core/json.ts';
import type { Plan } from '../plan/plan.ts';
import type { ConfiguredRules } from '../plan/rules.ts';
import { selectNames } from '../files/find/find.ts';
import { readCommit } from '../files/git/repository.ts';
import { foldersUpwards } from '../files/git/run-git.ts';
import { planVerdict } from '../report/problems.ts';
import { clip } from '../core/text.ts';
import { choosePlanBase, type PlanBase } from './base.ts';
import { listChangedFiles } from './github.ts';
import type { Step } from './step.ts';

export type Touched = Promise<ReadonlySet<string> | undefined>;

/** Rules are undefined where they are those of the checked-out files. */
export type PlanPolicy = {
  readonly rules?: ConfiguredRules | undefined;
  readonly problem?: Diagnostic | undefined;
  /** Absent where the base, or its policy, can't be read. */
  readonly base?: BasePolicy;
  readonly other?: {
    readonly rules: ConfiguredRules | undefined;
    readonly compare: (problem: Diagnostic, plan: Plan, byOther: Plan) => Diagnostic;
  };
};

export async function choosePolicy(
  step: Step,
  { revision, problem }: PlanBase,
  touched: Touched,
): Promise<PlanPolicy> {
  const { policy: asked } = step.inputs;
  const isReview = step.run.pullRequest !== undefined || step.run.queued !== undefined;
  if (!isReview) return {};
  if (revision === undefined) return policyWithoutBase(step, touched, problem?.hint);
  const policy = readPolicy(step, revision);
  if ('problem' in policy) return policy;
  const { rules, changed } = policy;
  const judges = asked !== 'head';
  if (changed.length === 0) return judges ? { rules, base: policy } : { base: policy };
  const found = changedPolicy(policy);
  if (asked === undefined && isFirst(step, policy)) {
    const hint = 'It judges this plan, since the base has neither a policy nor contracts.';
    return { problem: { ...found, hint }, base: policy };
  }
  const both = { problem: found, base: policy };
  return judges
    ? { ...both, rules, other: { rules: undefined, compare: judgedByBase } }
    : { ...both, other: { rules, compare: judgedByHead } };
}

async function policyWithoutBase({ inputs }: Step, touched: Touched, hint: string | undefined) {
  if (inputs.policy === 'base') {
    throw new ConfigError(
      'no-such-revision',
      "This clone doesn't have the base, so its policy can't be used.",
      { hint: 'Set `fetch-depth: 2` in actions/checkout.' },
    );
  }
  // The list of touched files is undefined where a configuration is among them.
  if ((await touched) !== undefined) return {};
  return { problem: unknownPolicy("this clone doesn't have the base.", hint) };
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
  return readCommit(commit, top, isSelected).length === 0;
}

// Returns a problem where it can, so that a change that repairs the policy can be planned.
function readPolicy(step: Step, revision: string): BasePolicy | { readonly problem: Diagnostic } {
  const { folder, root, inputs } = step;
  const { config, environment: env } = inputs;
  try {
    return readBasePolicy(revision, { folder, root, config, env });
  } catch (error) {
    if (inputs.policy === 'base' || !(error instanceof SyncError)) throw error;
    return { problem: unknownPolicy(`the policy of the base can't be read: ${error.message}`) };
  }
}

function unknownPolicy(reason: string, hint?: string): Diagnostic {
  const message = `Whether this pull request changes the policy that judges it is unknown: ${reason}`;
  return { code: 'policy-unknown', severity: 'warning', message, ...defined({ hint }) };
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

export function changeText({ setting, before, after }: PolicyChange): string {
  return `\`${setting}\` ${valueText(before)} → ${valueText(after)}`;
}

// UTF-16 code units.
const longestValue = 80;

function valueText(value: JsonValue | undefined): string {
  if (value === undefined || (isArray(value) && value.length === 0)) return 'none';
  if (isArray(value)) return clip(value.map(valueText).join(', '), longestValue);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

// The apply after the merge goes by the changed policy, so it must plan what is shown here.
function judgedByBase({ source, ...problem }: Diagnostic, plan: Plan, byHead: Plan): Diagnostic {
  const isSame =
    plan.planHash === byHead.planHash &&
    plan.errored === byHead.errored &&
    planVerdict(plan) === planVerdict(byHead);
  if (isSame) {
    const hint = 'The policy of the base judges this plan; by the changed one it is the same.';
    return { ...problem, hint, ...(source && { source }) };
  }
  const hint = `The policy of the base judges this plan; by the changed one, which the apply goes by, it is another, "${planVerdict(byHead)}". Make two pull requests of this one: merge the policy first for what it allows, last for what it forbids.`;
  return { ...problem, severity: 'error', hint };
}

function judgedByHead(problem: Diagnostic, _: Plan, byBase: Plan): Diagnostic {
  const hint = `The changed policy judges this plan. By that of the base, it is "${planVerdict(byBase)}". To be judged by it, set the input \`policy: base\`.`;
  return { ...problem, hint };
}

// GitHub's maximum.
const mostListed = 3000;

/**
 * Relative to the step's folder. Without a base, these files tell drift from changes under review;
 * undefined, also where the configuration changes, leaves all changes together.
 */
export async function touchedFiles(step: Step): Promise<ReadonlySet<string> | undefined> {
  const { github, run, prefix, folder, log, inputs } = step;
  if (!github || !run.pullRequest) return undefined;
  if (choosePlanBase(step).revision !== undefined) return undefined;
  try {
    const files = await listChangedFiles(github, run.pullRequest.number);
    if (files.length >= mostListed) return undefined;
    const inside = prefix === '' ? '' : `${prefix}/`;
    const own = files.filter((file) => file.startsWith(inside));
    const touched = new Set(own.map((file) => file.slice(inside.length)));
    const { extends: shared = '' } = loadFile(inputs.config, step.root).settings;
    const named = new Set([
      resolve(folder, inputs.config ?? defaultFile),
      resolve(step.root, dirname(nameInRoot(inputs.config)), shared),
    ]);
    // A deleted configuration counts too, also above this folder.
    const isPolicy = (file: string): boolean =>
      named.has(resolve(run.workspace, file)) ||
      (basename(file) === defaultFile &&
        (file.startsWith(inside) || inside.startsWith(file.slice(0, -defaultFile.length))));
    return files.some(isPolicy) ? undefined : touched;
  } catch (error) {
    log.text(`Can't list the files of the pull request: ${String(error)}`);
    return undefined;
  }
}
