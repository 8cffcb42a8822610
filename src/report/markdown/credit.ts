import { count } from '../../core/text.ts';
import { type Credit, creditedUsers } from '../../pull/credit.ts';
import { plainCode } from './text.ts';

/** User of the catalog → who that is to git: `Mira Okafor <mira@example.com>`. */
export type Users = Readonly<Record<string, string>>;

/** A commit message or the text of a pull request: whose edits were taken over, and from where. */
export function renderCredit(credits: readonly Credit[], users: Users): string {
  const known = creditedUsers(credits).filter((user) => Object.hasOwn(users, user));
  const amount = count(credits.length, 'contract', 'contracts');
  const lines = credits.map(({ contract, users: own }) => `- ${plainCode(contract)}${byLine(own)}`);
  const trailers = known.map((user) => `Co-authored-by: ${users[user] ?? ''}`);
  const parts = [`Take ${amount} over from the catalog`, lines.join('\n'), trailers.join('\n')];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function byLine(users: readonly string[]): string {
  return users.length === 0 ? '' : `, edited by ${users.map(plainCode).join(', ')}`;
}
