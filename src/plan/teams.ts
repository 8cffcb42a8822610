/** Which team's rules hold for a contract: by its file, and without one by the scopes. */

import { qualifiedNames } from '../contract/identity.ts';
import type { DesiredContract } from '../contract/contract.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Pair } from './pair.ts';
import type { Rules, Team, Unmanaged } from './rules.ts';

export type Owned = Pick<Pair, 'live' | 'desired'>;

export function teamOf({ desired, live }: Owned, { teams, teamInScope }: Rules): Team | undefined {
  if (teams.length === 0) return undefined;
  if (desired) return teams.find(({ has }) => has(desired.source.file));
  const owner = live && teamInScope(qualifiedNames(live));
  return teams.find(({ name }) => name === owner);
}

export function rulesFor(pair: Owned, rules: Rules): Rules {
  const team = teamOf(pair, rules);
  return team ? { ...rules, ...team.rules, team: team.name } : rules;
}

/** `change` is also given the scope that the setting is for. */
export function withUnmanaged(rules: Rules, change: (unmanaged: Unmanaged) => Unmanaged): Rules {
  return {
    ...rules,
    unmanaged: change(rules.unmanaged),
    teams: rules.teams.map((team) => ({
      ...team,
      rules: { ...team.rules, unmanaged: change(team.rules.unmanaged) },
    })),
  };
}

export function everyRule({
  teams,
  ...shared
}: Rules): readonly Pick<Rules, 'unmanaged' | 'scope' | 'compatibility'>[] {
  return [shared, ...teams.map(({ rules }) => rules)];
}

/** A file in the folders of two teams would be judged by the rules of one of them. */
export function filesOfTwo(desired: readonly DesiredContract[], { teams }: Rules): Diagnostic[] {
  if (teams.length < 2) return [];
  return [...new Set(desired.map(({ source }) => source.file))].flatMap((file): Diagnostic[] => {
    const [first, second] = teams.filter(({ has }) => has(file));
    if (!first || !second) return [];
    const message = `This file is in the folders of two teams, ${first.name} and ${second.name}.`;
    const hint = 'Correct `include` of one of them in the configuration.';
    const source = { file, line: 1, column: 1 };
    return [{ code: 'invalid-setting', severity: 'error', message, hint, source }];
  });
}
