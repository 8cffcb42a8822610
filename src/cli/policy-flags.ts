import type { Command } from 'commander';
import { ConfigError } from '../core/errors.ts';
import { changedSince } from '../files/find/git.ts';
import { limitNames } from '../plan/limits.ts';
import type { LimitName, Override } from '../plan/plan.ts';
import type { SessionOptions } from '../session.ts';

/** The flags that make one plan smaller, or let it do more than is usual. */
export type PolicyFlags = {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly changedSince?: string;
  readonly allowLimit?: readonly string[];
  readonly reason?: string;
  readonly allowEmpty?: boolean;
};

export function withPolicyOptions(command: Command): Command {
  return command
    .optionsGroup('Less than all, more than usual:')
    .option('--only <pattern>', 'plan these alone: a qualified name or file (repeatable)', collect)
    .option('--exclude <pattern>', 'leave these out (repeatable)', collect)
    .option('--changed-since <revision>', 'plan contracts whose files changed since a git revision')
    .option('--allow-limit <limit>', 'exceed `limits.<limit>` for once; needs --reason', collect)
    .option('--reason <text>', 'why; it is kept in the plan and its outcomes')
    .option('--allow-empty', 'plan even if no contract is found', false);
}

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** A saved plan is applied as a whole: what would make a new plan smaller or larger has no meaning. */
export function refuseSelection(paths: readonly string[], flags: PolicyFlags): void {
  const { only, exclude, changedSince: since, allowLimit, reason, allowEmpty } = flags;
  const named = Object.entries({
    files: paths.length > 0,
    '--only': only,
    '--exclude': exclude,
    '--changed-since': since,
    '--allow-limit': allowLimit,
    '--reason': reason,
    '--allow-empty': allowEmpty,
  }).flatMap(([name, given]) => (given === undefined || given === false ? [] : [name]));
  if (named.length === 0) return;
  throw new ConfigError(
    'invalid-flag',
    `--plan applies a saved plan as a whole, so ${named.join(', ')} cannot be given with it.`,
    { hint: 'Give the same to `contract-sync plan --out FILE`, and apply that plan.' },
  );
}

/** What the flags mean for a session in a folder. */
export function resolvePolicyFlags(
  flags: PolicyFlags,
  folder: string,
): Pick<SessionOptions, 'selection' | 'overrides' | 'allowEmpty'> {
  const { only = [], exclude = [], changedSince: since, allowEmpty = false } = flags;
  return {
    allowEmpty,
    selection: {
      only,
      exclude,
      ...(since !== undefined && { changed: { since, files: changedSince(since, folder) } }),
    },
    overrides: resolveOverrides(flags),
  };
}

function resolveOverrides({ allowLimit = [], reason = '' }: PolicyFlags): Override[] {
  if (allowLimit.length > 0 && reason.trim() === '') {
    throw new ConfigError('reason-needed', '--allow-limit needs a reason.', {
      hint: 'Add --reason "…": it is kept in the plan and its outcomes.',
    });
  }
  return allowLimit.map((text) => ({ limit: limitName(text), reason }));
}

function limitName(text: string): LimitName {
  const name = limitNames.find((limit) => limit === text);
  if (name !== undefined) return name;
  throw new ConfigError(
    'invalid-flag',
    `--allow-limit takes ${limitNames.join(' or ')}, not ${JSON.stringify(text)}.`,
  );
}
