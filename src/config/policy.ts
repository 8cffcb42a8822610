/** The policy of a commit, against that of the files as they are now. */

import { posix } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { canonicalJson } from '../core/json.ts';
import { readCommit, resolveBase } from '../files/git/commit.ts';
import { foldersUpwards } from '../files/git/run-git.ts';
import { decodeText } from '../files/read/text.ts';
import type { Rules } from '../plan/rules.ts';
import { type ConfigFile, settingNames } from '../generated/config.js';
import {
  type LoadedConfig,
  loadFile,
  noFile,
  parseConfig,
  selectEnvironment,
  unusable,
} from './file.ts';
import { defaultFile } from './root.ts';
import { resolveRules } from './rules.ts';
import { currentDay } from './settings.ts';

/** Where a configuration is looked for: named, or from a folder upwards. */
type Place = {
  readonly folder: string;
  readonly root: string;
  readonly config?: string | undefined;
  /** One of the configuration's environments. */
  readonly env?: string | undefined;
};

export type BasePolicy = {
  readonly rules: Rules;
  /** What the files as they are now say otherwise, by the key of the configuration. */
  readonly changed: readonly string[];
  /** Where the first of them stands. */
  readonly source?: Diagnostic['source'];
};

/** Reads the policy as it was where the work left a git revision. */
export function readBasePolicy(revision: string, place: Place): BasePolicy {
  const { root, config, env } = place;
  const before = selectEnvironment(loadAt(resolveBase(revision, root), place), env);
  const now = selectEnvironment(loadFile(config, root), env);
  const changed = policyKeys.filter((key) => textOf(before, key) !== textOf(now, key));
  const first = changed.find((key) => now.settings[key] !== undefined);
  return {
    rules: resolveRules(before, currentDay()),
    changed,
    ...(first && { source: now.locate([first]) }),
  };
}

function textOf({ settings }: LoadedConfig, key: keyof ConfigFile): string {
  return canonicalJson(JSON.parse(JSON.stringify(settings[key] ?? null)));
}

/** What decides how contracts are compared, and which changes are let through. */
const policyKeys = settingNames.filter(
  (name) => !['catalog', 'auth', 'contracts', 'odcs', 'environments'].includes(name),
);

/** A file that a change adds nearer by is not the one that was looked at before it. */
function loadAt(commit: string, { folder, config }: Place): LoadedConfig {
  const name = posix.normalize(config ?? defaultFile);
  for (const place of config === undefined ? foldersUpwards(folder) : [folder]) {
    const [found] = readCommit(commit, place, ({ file }) => file === name);
    if (!found) continue;
    const read = decodeText(name, found.bytes);
    if ('problem' in read) throw unusable([read.problem]);
    return parseConfig(name, read.text);
  }
  return noFile;
}
