/** Which commit a plan is compared with, so that edits of the catalog are told from what files ask for. */

import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { findCommit } from '../files/find/commit.ts';
import { whyGitFails } from '../files/find/git.ts';
import type { Step } from './step.ts';

/** Where no base is known, all that differs is the files' to change. */
export type PlanBase = { readonly revision?: string; readonly problem?: Diagnostic };

/** The base of a `plan`: what the change under review is to be merged into. */
export function choosePlanBase(step: Step): PlanBase {
  const { inputs, run, root } = step;
  if (inputs.base !== undefined) return { revision: inputs.base };
  const { pullRequest, queued } = run;
  if (!pullRequest && !queued) {
    return inputs.driftIssue ? { revision: 'HEAD' } : refuseWithoutBase(step);
  }
  const revision = queued
    ? (findCommit(queued.baseSha, root) ?? findCommit('HEAD^1', root))
    : (firstParent(pullRequest?.headSha, root) ?? findCommit(pullRequest?.baseSha ?? '', root));
  return revision === undefined ? { problem: unknownBase(2, root) } : { revision };
}

/** What is checked out for a pull request is a merge of it. */
function firstParent(head: string | undefined, root: string): string | undefined {
  const isMerge = head !== undefined && findCommit('HEAD^2', root) === head;
  return isMerge ? findCommit('HEAD^1', root) : undefined;
}

function refuseWithoutBase({ inputs: { drift, conflicts } }: Step): PlanBase {
  const rule = drift === undefined ? conflicts && 'conflicts' : 'drift';
  if (rule === undefined) return {};
  throw new ConfigError('invalid-input', `The input \`${rule}\` needs \`base\` here.`, {
    hint: 'Without a pull request, name the git revision to compare the files with.',
  });
}

/** `depth` is what the checkout needs; 0: the whole history. */
export function unknownBase(depth: 0 | 2, root: string): Diagnostic {
  const reason = whyGitFails(root);
  if (reason !== undefined) {
    return {
      code: 'git-fails',
      severity: 'warning',
      message: `Can't tell edits in the catalog from changes in the files: ${reason}`,
      hint: 'In a container, run `git config --global --add safe.directory "$GITHUB_WORKSPACE"` before this step.',
    };
  }
  return {
    code: 'no-base',
    severity: 'warning',
    message:
      "This clone doesn't have the base, so can't tell edits in the catalog from changes in the files.",
    hint: `Set \`fetch-depth: ${depth}\` in actions/checkout.`,
  };
}
