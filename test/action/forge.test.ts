/** Who has approved a pull request, and who is in a team, as GitHub tells it. */

import { expect, test } from 'vitest';
import { openForge } from '../../src/action/forge.ts';
import { connectionTo, type FakeReview, serveGitHub } from './github-server.ts';

const by = (login: string) => ({ user: { id: 1, login } });
const approved: FakeReview = { ...by('Olga'), state: 'APPROVED', commit_id: 'c1' };

async function forgeOf(reviews: readonly FakeReview[]) {
  const pulls = [{ number: 7, head: { sha: 'c1' }, author: 'Mira', reviews }];
  const github = await serveGitHub({ pulls, teams: { finance: [50, 51] } });
  return openForge(connectionTo(github));
}

test.for<[string, readonly Partial<FakeReview>[], readonly string[]]>([
  ['of an account, in lower case', [{}], ['olga']],
  ['of an account that is gone', [{ user: null }], []],
  ['that was dismissed', [{ state: 'DISMISSED' }], []],
  ['before a request for changes', [{}, { state: 'CHANGES_REQUESTED' }], []],
  ['before a request for changes that was dismissed', [{}, { state: 'DISMISSED' }], []],
  ['after a request for changes', [{ state: 'CHANGES_REQUESTED' }, {}], ['olga']],
  ['before a comment', [{}, { state: 'COMMENTED' }], ['olga']],
  ['before a review that is not submitted yet', [{}, { state: 'PENDING' }], ['olga']],
  ['beside a request of another', [{ ...by('eve'), state: 'CHANGES_REQUESTED' }, {}], ['olga']],
  ['on the second page', [...Array.from({ length: 100 }, () => by('eve')), {}], ['eve', 'olga']],
])('an approval %s', async ([, given, logins]) => {
  const forge = await forgeOf(given.map((review) => ({ ...approved, ...review })));
  expect((await forge.approvals(7)).map(({ login }) => login)).toEqual(logins);
});

test('logins and names of teams are the same in upper case and lower case', async () => {
  const forge = await forgeOf([]);
  expect(await forge.author(7)).toBe('mira');
  expect(await forge.members('Acme/Finance')).toEqual(['member-50', 'member-51']);
  expect(await forge.members('Finance')).toEqual(['member-50', 'member-51']);
});
