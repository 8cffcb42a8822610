/** The policy of a commit, compared with that of the present files. */

import { posix } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import { canonicalJson } from '../core/json.ts';
import { readCommit, resolveBase } from '../files/git/commit.ts';
import { foldersUpwards } from '../files/git/run-git.ts';
import { decodeText } from '../files/read/text.ts';
import type { Rules } from '../plan/rules.ts';
import { type ConfigFile, settingNames } from '../generated/config.js';
import {
  defaultFile,
  type LoadedConfig,
  loadFile,
  noFile,
  parseConfig,
  selectEnvironment,
  unusable,
} from './file.ts';
import { resolveRules } from './rules.ts';
import { currentDay } from './settings.ts';

type Place = {
  readonly folder: string;
  readonly root: string;
  readonly config?: string | undefined;
  readonly env?: string | undefined;
};

export type BasePolicy = {
  readonly rules: Rules;
  /** Keys of the configuration whose present values differ. */
  readonly changed: readonly string[];
  readonly source?: Diagnostic['source'];
};

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

const policyKeys = settingNames.filter(
  (name) => !['catalog', 'auth', 'contracts', 'odcs', 'environments'].includes(name),
);

// The nearest configuration of the commit: a change may add another one nearer by.
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
