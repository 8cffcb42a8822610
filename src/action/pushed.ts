/** Changes that were pushed without a pull request, which `auto-approve` lets through. */

import { planNow } from '../commands/plan.ts';
import { type BranchCommit, firstParents } from '../files/git/changes.ts';
import { reviewedChanges } from '../review/compare.ts';
import { type GitHub, type ListedPull, listPulls, listPullsOf } from './github.ts';
import { openCatalog, type Step } from './step.ts';

const mostCommits = 100;

/**
 * Since the last merge of a pull request; `all` if there never was one. Edits of the catalog are
 * left out, whatever the input `drift` says.
 */
export async function readPushed(step: Step): Promise<'all' | ReturnType<typeof reviewedChanges>> {
  const { github, run, root } = step;
  const { branch } = run;
  if (!github || branch === undefined) return 'all';
  const [merged, open] = await Promise.all([
    listPulls(github, branch, 'MERGED'),
    listPulls(github, branch, 'OPEN'),
  ]);
  if (merged.pulls.length + open.pulls.length === 0) return 'all';
  const { commits, isWhole } = firstParents(mostCommits, root);
  const merge = await findLastMerge(commits, open.pulls, { github, branch });
  if (!merge && isWhole) return 'all';
  const since = merge ?? commits.at(-1);
  if (!since || since === commits[0]) return [];
  const session = openCatalog(step, { revision: since.id });
  return reviewedChanges(
    await planNow({ ...session, downstream: false, rules: { ...session.rules, drift: 'leave' } }),
  );
}

const commitsAtOnce = 20;

async function findLastMerge(
  commits: readonly BranchCommit[],
  open: readonly ListedPull[],
  { github, branch }: { readonly github: GitHub; readonly branch: string },
): Promise<BranchCommit | undefined> {
  for (let start = 0; start < commits.length; start += commitsAtOnce) {
    const some = commits.slice(start, start + commitsAtOnce);
    const ids = some.map(({ id }) => id);
    const pulls = await listPullsOf(github, ids, branch);
    const found = some.find(
      (commit, index) => pulls[index]?.length !== 0 || open.some((pull) => isMergeOf(commit, pull)),
    );
    if (found) return found;
  }
  return undefined;
}

// GitHub reports a merge with a delay; until then only the commits show it.
function isMergeOf({ id, parents, subject }: BranchCommit, { headSha, number }: ListedPull) {
  const [, named] = /^Merge pull request #(\d+) |\(#(\d+)\)$/u.exec(subject)?.filter(Boolean) ?? [];
  return [id, ...parents.slice(1)].includes(headSha) || Number(named) === number;
}
