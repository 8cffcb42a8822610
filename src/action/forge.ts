/** Who has approved what on GitHub, and which accounts a name stands for. */

import { SyncError } from '../core/diagnostic.ts';
import { askOnce } from '../core/effects.ts';
import type { JsonObject } from '../core/json.ts';
import type { Evidence, ReviewApproval } from '../review/agreement.ts';
import { at, type GitHub, GitHubError, listAll, send, textOf } from './github-request.ts';

/** Who approved what: all that another forge would have to tell. Each fails with a SyncError. */
export type Forge = {
  /** The login, in lower case, of who made the pull request. */
  readonly author: (pull: number) => Promise<string>;
  /** Of those accounts whose latest verdict approves. */
  readonly approvals: (pull: number) => Promise<readonly ReviewApproval[]>;
  /** Logins in lower case, with those of the teams below; a team without an organization is of the own one. */
  readonly members: (team: string) => Promise<readonly string[]>;
};

/** Without a token, each question fails. */
export function openForge(github: GitHub | undefined): Forge {
  const opened = (): GitHub => {
    if (github) return github;
    throw new GitHubError('The input `github-token` is empty.');
  };
  return {
    author: askOnce(async (number) => {
      return loginOf(at(await send(opened(), 'GET', `/pulls/${number}`), 'user'));
    }),
    approvals: askOnce(async (number) => {
      const path = `/repos/${opened().repository}/pulls/${number}/reviews?`;
      // Oldest first. A comment takes back no approval; the account of a deleted user is null.
      const verdicts = (await listAll(opened(), path)).filter(({ state }) => {
        return state !== 'COMMENTED' && state !== 'PENDING';
      });
      const latest = new Map(verdicts.map((review) => [loginOf(at(review, 'user')), review]));
      latest.delete('');
      return [...latest]
        .filter(([, { state }]) => state === 'APPROVED')
        .map(([login, review]) => {
          const commit = textOf(review['commit_id']);
          return { login, commit, at: textOf(review['submitted_at']) };
        });
    }),
    members: askOnce(async (name) => {
      const [own = ''] = opened().repository.split('/');
      const lower = name.toLowerCase();
      const [organization, team] = lower.includes('/') ? lower.split('/') : [own, lower];
      const members = await listAll(opened(), `/orgs/${organization}/teams/${team}/members?`);
      return members.map(loginOf);
    }),
  };
}

// GitHub doesn't tell upper case from lower.
function loginOf({ login }: JsonObject): string {
  return textOf(login).toLowerCase();
}

/** Of `@ada`, `@acme/finance` and `data-platform`, by these names. */
export async function accountsOf(
  names: readonly string[],
  forge: Forge,
): Promise<Evidence['accounts']> {
  const accounts = new Map<string, readonly string[] | { readonly unread: string }>();
  for (const name of new Set(names)) {
    const bare = name.replace(/^@/u, '');
    if (name.startsWith('@') && !bare.includes('/')) {
      accounts.set(name, [bare.toLowerCase()]);
      continue;
    }
    try {
      accounts.set(name, await forge.members(bare));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      accounts.set(name, { unread: error.message });
    }
  }
  return accounts;
}
