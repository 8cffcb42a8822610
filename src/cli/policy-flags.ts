import type { Command } from 'commander';
import { ConfigError } from '../errors.ts';
import { changedSince } from '../files/changed-since.ts';
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
