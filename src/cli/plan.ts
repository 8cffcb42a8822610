import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { planNow } from '../commands/plan.ts';
import {
  type PlanFile,
  readSavedPlan,
  requireApproval,
  type ReviewedPlan,
  reviewPlan,
  type Reviewed,
} from '../commands/review.ts';
import {
  type RunSubject,
  isIncomplete,
  type Plan,
  plannedChanges,
  type PlanSubject,
} from '../plan/plan.ts';
import { nameFrom } from '../config/file.ts';
import { misuse } from '../config/settings.ts';
import {
  ConfigError,
  type Diagnostic,
  renamePlace,
  type SourcePosition,
  SyncError,
  toDiagnostics,
} from '../core/diagnostic.ts';
import { redactTexts } from '../core/redact.ts';
import { FolderError, isDevice, LinkError, placeOfOutput, writeOutput } from '../disk.ts';
import { findRepository } from '../files/git/run-git.ts';
import { whyUnwritable } from '../files/text.ts';
import { erroredPlan } from '../plan/seal.ts';
import { planCases } from '../report/json.ts';
import { comparisonBlock } from '../report/lists.ts';
import { describePlan, planPage, renderPlanJson, renderPlanText } from '../report/plan.ts';
import { planVerdict } from '../report/problems.ts';
import { renderText } from '../report/text.ts';
import {
  compareChanges,
  type Comparison,
  decideChanges,
  type Decision,
  reviewedIn,
} from '../review/compare.ts';
import { findLanded } from '../review/landed.ts';
import { type Session, subjectOf } from '../session.ts';
import type { Flags } from './flags.ts';
import {
  exitCode,
  type Progress,
  reporter,
  showProgress,
  type Terminal,
  print,
} from './terminal.ts';
import { prepareSession } from './session.ts';

export async function runPlan(terminal: Terminal, flags: Flags, paths: readonly string[]) {
  let subject: PlanSubject = { catalogUrl: flags.catalogUrl ?? '' };
  let output: Output | undefined;
  let made: ReviewedPlan;
  try {
    output = openOutput('--out', flags.out, terminal);
    const { settings, open } = prepareSession(paths, flags, terminal, ofPlan);
    subject = subjectOf(settings);
    const reviewed = await readReviewed(flags, settings, terminal);
    const session = await open();
    const plan = await readPlan(session, flags, terminal);
    made = reviewed ? await reviewPlan(plan, reviewed, session) : { plan };
  } catch (error) {
    // A failure becomes a plan with errors, so that the output has one form.
    made = { plan: erroredPlan(subject, toDiagnostics(error)) };
  }
  const { review } = made;
  let { plan } = made;
  try {
    output?.(renderPlanJson(plan, flags));
  } catch (error) {
    const diagnostics = [...plan.diagnostics, ...toDiagnostics(error)];
    plan = { ...plan, errored: true, diagnostics };
  }
  if (flags.format === 'text') showPlan(plan, flags, terminal);
  else {
    // Secrets are hidden first: escaped, one would no longer look like itself.
    const shown = () => redactTexts(plan, terminal.redactor);
    await print(flags, terminal, {
      text: () => '',
      json: () => renderPlanJson(plan, flags),
      page: (view) => planPage(shown(), { ...view, all: view.isWhole && flags.all }),
      problems: () => problemsIn(shown(), terminal),
      verdict: () => `${planVerdict(plan)}.`,
      cases: () => planCases(renamePlaces(shown(), nameInRepository(terminal))),
    });
  }
  if (review?.comparison) showComparison(review.comparison, flags, terminal);
  if (plan.errored || isIncomplete(plan)) return exitCode.failed;
  return flags.detailedExitcode && plannedChanges(plan).length > 0
    ? exitCode.changes
    : exitCode.done;
}

/** The session of a plan, and of an apply. */
export const ofPlan = { hasDefaultBase: true, interrupted: 'Interrupted: no plan was made.' };

export async function readPlan(session: Session, { quiet }: Flags, terminal: Terminal) {
  const shown = { ...ofPlan, quiet };
  const read = async (onPage: Progress['advance']) => planNow({ ...session, onPage });
  return showProgress(shown, terminal, read, { resumesAt: session.resumesAt });
}

// Services that annotate files have the whole repository.
function nameInRepository({ folder, root }: Terminal) {
  return nameFrom(findRepository(root) ?? folder, root);
}

function problemsIn(plan: Plan, terminal: Terminal): Diagnostic[] {
  const nameOf = nameInRepository(terminal);
  return describePlan(plan).problems.map(({ contract, ...problem }) =>
    problem.source || contract === undefined
      ? renamePlace(problem, nameOf)
      : { ...problem, message: `${contract}: ${problem.message}` },
  );
}

export async function readReviewed(
  { expectHash, plan: file }: Flags,
  run: RunSubject,
  terminal: Terminal,
): Promise<Reviewed | undefined> {
  if (expectHash !== undefined && !/^sha256:[0-9a-f]{64}$/u.test(expectHash)) {
    const message = `--expect-hash takes a plan hash, not ${JSON.stringify(expectHash)}.`;
    const hint = 'It looks like sha256:9f2c…, and `contract-sync plan` ends with it.';
    throw misuse(message, hint);
  }
  if (file === undefined) return expectHash === undefined ? undefined : { planHash: expectHash };
  const plan = await readSavedPlan(planFile(file, terminal), 'apply');
  requireApproval(plan, run, file);
  // Only a plan with errors has no hash.
  const { planHash = '' } = plan;
  if (expectHash !== undefined && planHash !== expectHash) {
    const message = `The plan in ${file} doesn't have the expected hash: ${planHash}.`;
    throw new SyncError('plan-changed', message);
  }
  return { planHash, plan };
}

export function planFile(name: string, { folder }: Terminal): PlanFile {
  return { name, folder, hint: 'Check the path: `contract-sync plan --out FILE` writes one.' };
}

export async function decideBySaved(
  fresh: Plan,
  reviewed: Plan,
  session: Session,
  { flags, terminal }: { readonly flags: Flags; readonly terminal: Terminal },
): Promise<Decision> {
  const changes = reviewedIn(reviewed, fresh);
  showPlan(fresh, flags, terminal);
  const landings = await findLanded(fresh, changes, session);
  const comparison = compareChanges(changes, fresh, landings);
  if (comparison.verdict !== 'same') {
    showComparison(comparison, flags, terminal);
    if (flags.base !== undefined && reviewed.base !== fresh.base) {
      const [then, now] = [reviewed, fresh].map(({ base }) =>
        base === undefined ? 'none' : `the base ${base.slice(0, 12)}`,
      );
      const meant = 'leave out --base and --no-base to apply what was reviewed.';
      reporter(terminal)(`The saved plan has ${then}, this run has ${now}: ${meant}`);
    }
  }
  return decideChanges(fresh, changes, landings);
}

export function showPlan(
  plan: Plan,
  { format, all, quiet, verbose }: Flags,
  terminal: Terminal,
): void {
  const channel = format !== 'text' || plan.planHash === undefined ? 'report' : 'write';
  const { folder, root } = terminal;
  const seen = folder === root ? plan : renamePlaces(plan, nameFrom(folder, root));
  const text = renderPlanText(seen, {
    ...terminal.layouts[channel],
    verbose,
    detail: quiet ? 'totals' : all ? 'all' : 'changes',
    more: '--all',
    now: Date.now(),
  });
  terminal[channel](text);
}

export function showComparison(
  comparison: Comparison,
  { format }: Flags,
  terminal: Terminal,
): void {
  const channel = format === 'text' ? 'write' : 'report';
  const text = renderText({ blocks: [comparisonBlock(comparison)] }, terminal.layouts[channel]);
  terminal[channel](`\n${text}`);
}

/** A stream takes a report once, at its end; a file has the newest. */
export type Output = (text: string, state?: 'partial') => void;

/**
 * Checked before the run, which must be able to report what it did. No link may lead out of the
 * named folder, nor out of the run's folder where the name stays in it.
 */
export function openOutput(
  flag: '--out' | '--report',
  name: string | undefined,
  { folder, redactor }: Terminal,
): Output | undefined {
  if (name === undefined) return undefined;
  const path = resolve(folder, name);
  const failed = `${flag === '--out' ? 'The plan' : 'The report'} can't be written to ${path}`;
  if (/\.ya?ml$/iu.test(path) && existsSync(path)) {
    const hint = `Name a JSON file with ${flag}.`;
    throw new ConfigError('unwritable-file', `${failed}: it may be a contract file.`, { hint });
  }
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      if (cause instanceof LinkError) {
        const message = `${failed}: a symbolic link leads out of the folder.`;
        const hint = `Remove the link, or name the file that it leads to with ${flag}.`;
        throw new ConfigError('link-outside-root', message, { hint });
      }
      const reason = cause instanceof FolderError ? 'it is a folder' : whyUnwritable(cause);
      const why = reason === undefined ? '' : `: ${reason}`;
      const hint = `Name a file with ${flag} that can be written to: check its folder, its permissions and the space on its disk.`;
      throw new ConfigError('unwritable-file', `${failed}${why}.`, { hint, cause });
    }
  };
  attempt(() => placeOfOutput(path, folder));
  return (text, state) => {
    if (state === 'partial' && isDevice(path)) return;
    attempt(() => writeOutput(path, folder, redactor.redact(text)));
  };
}

function renamePlaces(plan: Plan, nameOf: (file: string) => string): Plan {
  const renamed = <Placed extends { readonly source?: SourcePosition }>(placed: Placed) =>
    renamePlace(placed, nameOf);
  const contracts = plan.contracts.map((contract) => {
    if (contract.action === 'unmanaged') return contract;
    const changes = 'changes' in contract && { changes: contract.changes.map(renamed) };
    return { ...renamed(contract), problems: contract.problems.map(renamed), ...changes };
  });
  return { ...plan, diagnostics: plan.diagnostics.map(renamed), contracts };
}
