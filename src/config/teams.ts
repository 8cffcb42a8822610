/** The rules of a run, and on top of them those of each team. */

import { canOverlap, indexPatterns } from '../contract/names.ts';
import { selectNames } from '../files/find/find.ts';
import type { ConfiguredRules, Rules, Team } from '../plan/rules.ts';
import { type LoadedConfig, selectTeam } from './file.ts';
import { checked, type Refuse, rulesOf } from './rules.ts';

/** `today` is a day such as `2027-01-31`, `folder` that of the configuration. */
export function resolveRules(file: LoadedConfig, today: string, folder: string): ConfiguredRules {
  const shared = checked(file, (refuse) => rulesOf(file, today, refuse));
  const names = Object.keys(file.settings.teams ?? {});
  if (names.length === 0) return shared;
  const resolved = names.map((name) => resolveTeam(name, file, { today, folder }));
  const teams = resolved.map(({ team }) => team);
  checked(file, (refuse) => refuseOverlaps(teams, refuse));
  const ownerOf = indexPatterns(
    teams.flatMap(({ name, rules }) => rules.scope.map((pattern) => ({ name, pattern }))),
  );
  // Each team repeats the patterns of the shared part.
  const patterns = new Map(
    [...shared.patterns, ...resolved.flatMap((each) => each.patterns)].map((written) => [
      JSON.stringify(written.source),
      written,
    ]),
  );
  return {
    ...shared,
    patterns: [...patterns.values()],
    teams,
    teamInScope: (qualifiedNames) => ownerOf(qualifiedNames)[0]?.name,
  };
}

function resolveTeam(
  name: string,
  file: LoadedConfig,
  { today, folder }: { readonly today: string; readonly folder: string },
): { readonly team: Team } & Pick<Rules, 'patterns'> {
  const { teams, contracts } = file.settings;
  const { include: given = [], scope: owned = [] } = teams?.[name] ?? {};
  const include = [given].flat();
  checked(file, (refuse) => {
    const lacking = include.length === 0 ? 'include' : owned.length === 0 && 'scope';
    if (lacking === false) return;
    const hint = 'A team needs `include`, its files, and `scope`, the contracts that it owns.';
    refuse(['teams', name], `The team ${name} lacks \`${lacking}\`.`, hint);
  });
  const layered = selectTeam(file, name);
  const { patterns, ...rules } = checked(layered, (refuse) => rulesOf(layered, today, refuse));
  // All other rules are those of the run, which flags may set.
  const { scope, unmanaged, missing, compatibility, exceptionsFor, limits } = rules;
  const kept = { protected: rules.protected };
  const own = { scope, unmanaged, missing, compatibility, exceptionsFor, limits, ...kept };
  const has = selectNames({ root: folder, include, exclude: contracts?.exclude ?? [] });
  return { team: { name, include, has, rules: own }, patterns };
}

function refuseOverlaps(teams: readonly Team[], refuse: Refuse): void {
  for (const [at, { name, rules }] of teams.entries()) {
    for (const [index, pattern] of rules.scope.entries()) {
      const other = teams
        .slice(0, at)
        .find((each) => each.rules.scope.some((own) => canOverlap(own, pattern)));
      if (!other) continue;
      const message = `The teams ${other.name} and ${name} own the same names: their \`scope\` overlaps.`;
      refuse(['teams', name, 'scope', String(index)], message, 'Give each contract to one team.');
    }
  }
}
