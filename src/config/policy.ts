import { dirname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../core/diagnostic.ts';
import {
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { quote } from '../core/text.ts';
import { parseSpan } from '../core/time.ts';
import {
  openRepository,
  readLinked,
  type Repository,
  resolveBase,
} from '../files/git/repository.ts';
import { foldersUpwards } from '../files/git/run-git.ts';
import { unreadable } from '../files/find/walk.ts';
import { decodeText } from '../files/text.ts';
import { settingDefaults } from '../generated/config.js';
import {
  additive,
  defaultFile,
  type LoadedConfig,
  loadFile,
  loadWith,
  nameInRoot,
  noFile,
  selectEnvironment,
  withSlashes,
} from './file.ts';
import { resolveRules } from './rules.ts';
import { currentDay } from './settings.ts';

type Place = {
  readonly folder: string;
  readonly root: string;
  readonly repository: Repository;
  readonly config?: string | undefined;
  readonly env?: string | undefined;
};

export type BasePolicy = ReturnType<typeof readBasePolicy>;

export type PolicyChange = {
  /** `compatibility.mode`, of a team `teams.sales.compatibility.mode`. */
  readonly setting: string;
  /** The same without the team. */
  readonly key: string;
  /** Undefined where neither the file nor the schema has a value. */
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly loosens: boolean;
};

export function readBasePolicy(revision: string, place: Place) {
  const { root, repository, config, env } = place;
  const { commit } = resolveBase(revision, repository);
  const loaded = loadAt(commit, place);
  const hasFile = loaded !== noFile;
  // The first configuration of a repository brings the environments too.
  const before = hasFile ? selectEnvironment(loaded, env) : loaded;
  const now = selectEnvironment(loadFile(config, root), env);
  const was = policyOf(before);
  const is = policyOf(now);
  const changed: PolicyChange[] = [];
  for (const setting of Object.keys({ ...was, ...is }).toSorted()) {
    const old = valueOf(setting, was);
    const present = valueOf(setting, is);
    if (canonicalJson(old ?? null) === canonicalJson(present ?? null)) continue;
    const key = setting.replace(ofTeam, '');
    const isLooser = loosens(key, old ?? null, present ?? null);
    changed.push({
      setting,
      key,
      before: old ?? undefined,
      after: present ?? undefined,
      loosens: isLooser,
    });
  }
  const first = changed
    .map(({ setting }) => setting.split('.'))
    .find(([key = '']) => Object.hasOwn(now.settings, key));
  return {
    commit,
    hasFile,
    rules: resolveRules(before, currentDay(), root),
    changed,
    source: first && now.locate(first),
  };
}

type Policy = Readonly<Record<string, JsonValue | undefined>>;

function policyOf({ settings }: LoadedConfig): Policy {
  const plain: JsonObject = JSON.parse(JSON.stringify(settings));
  const values = Object.entries({ ...settingDefaults, ...valuesIn(plain) });
  // Handles decide who may agree.
  const hasReaders = settings.reviews?.breaking === 'readers';
  return Object.fromEntries(
    values.filter(
      ([setting]) => !notPolicy.test(setting) || (hasReaders && setting === 'comment.handles'),
    ),
  );
}

// The dialect decides which rules a catalog has of its own.
const notPolicy =
  /^(?:catalog(?!\.dialect$)|auth|contracts|odcs|comment|blame|environments)(?:\.|$)/u;

function valuesIn(settings: JsonObject, prefix = ''): Policy {
  const values: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(settings)) {
    if (!isObject(value)) {
      values[`${prefix}${key}`] = value;
      continue;
    }
    for (const [name, each] of Object.entries(value)) {
      const setting = `${prefix}${key}.${name}`;
      const below = key === 'teams' && isObject(each) ? valuesIn(each, `${setting}.`) : undefined;
      Object.assign(values, below ?? { [setting]: each });
    }
  }
  return values;
}

// `teams.sales.compatibility.mode`.
const ofTeam = /^teams\.[^.]+\./u;

function valueOf(setting: string, values: Policy): JsonValue | undefined {
  const shared = setting.replace(ofTeam, '');
  // A key that a team lacks has the value of the rest of the file, unless the two add up.
  const isAdded = additive.some((key) => key === shared);
  return values[setting] ?? (isAdded ? settingDefaults[shared] : values[shared]);
}

const levels = ['error', 'warn', 'off'];

// From strict to lax; values in one text can't be ranked.
const scales: Readonly<Record<string, readonly string[]>> = {
  missing: ['error', 'report'],
  drift: ['block', 'leave', 'overwrite'],
  conflicts: ['block', 'overwrite'],
  'compatibility.mode': ['full', 'forward backward', 'none'],
  'compatibility.downstream': ['block', 'warn', 'report', 'off'],
  'compatibility.draft': levels,
  'compatibility.active': levels,
  'compatibility.deprecated': levels,
};

const permissions: ReadonlySet<string> = new Set(
  'ignore compatibility.widenings lifecycle.transitions'.split(' '),
);

function loosens(setting: string, before: JsonValue, after: JsonValue): boolean {
  if (setting.startsWith('reviews.') || setting === 'comment.handles')
    return loosensReviews(setting, before, after);
  if (isArray(before) && isArray(after)) {
    if (setting === 'protected') return isBeside(before, after);
    // A further member makes an exception narrower.
    if (setting === 'allow')
      return !after.every((item) => before.some((earlier) => hasMembersOf(item, earlier)));
    return permissions.has(setting) && isBeside(after, before);
  }
  if (setting.startsWith('limits.')) {
    // A share of all contracts can't be compared with a count.
    return typeof before === typeof after && amountOf(after) > amountOf(before);
  }
  if (setting === 'create') return after === true;
  if (setting === 'compatibility.revert') return spanOf(after) > spanOf(before);
  const was = rankOf(before, setting);
  return was >= 0 && rankOf(after, setting) > was;
}

function loosensReviews(setting: string, before: JsonValue, after: JsonValue): boolean {
  switch (setting) {
    case 'comment.handles':
    case 'reviews.fallback':
      return after !== null;
    case 'reviews.notice':
      return after !== null && (before === null || spanOf(after) < spanOf(before));
    default: {
      const was = [before ?? []].flat();
      const is = [after ?? []].flat();
      return was.length > 0 && (is.length === 0 || isBeside(is, was));
    }
  }
}

function rankOf(value: JsonValue, setting: string): number {
  const steps = scales[setting] ?? [];
  return steps.findIndex((step) => step.split(' ').some((each) => each === value));
}

function isBeside(items: JsonArray, others: JsonArray): boolean {
  const known = new Set(others.map(canonicalJson));
  return items.some((item) => !known.has(canonicalJson(item)));
}

function spanOf(value: JsonValue): number {
  return typeof value === 'string' ? (parseSpan(value) ?? 0) : 0;
}

function hasMembersOf(item: JsonValue, other: JsonValue): boolean {
  if (!isObject(item) || !isObject(other)) return false;
  return Object.entries(other).every(([member, value]) => deepEqual(item[member], value));
}

function amountOf(limit: JsonValue): number {
  return typeof limit === 'string' ? Number.parseFloat(limit) : Number(limit);
}

// The nearest configuration of the commit, since a change may add a nearer one. Looked up by its
// name, since the change may also have replaced a folder by a link.
function loadAt(commit: string, { folder, config }: Place): LoadedConfig {
  const folders = foldersUpwards(folder);
  const top = folders.at(-1) ?? folder;
  const paths =
    config === undefined
      ? folders.map((each) => join(each, defaultFile))
      : [resolve(folder, config)];
  const names = paths.map((path) => withSlashes(relative(top, path)));
  const repository = openRepository(top);
  const known = new Map<string, Uint8Array | undefined>();
  const bytesOf = (name: string): Uint8Array | undefined => {
    if (!known.has(name)) known.set(name, readLinked(commit, repository, name));
    return known.get(name);
  };
  const found = names.find((name) => bytesOf(name));
  // A second checkout has commits of its own.
  if (
    found === undefined &&
    config !== undefined &&
    !readLinked('HEAD', repository, names[0] ?? '')
  ) {
    throw new ConfigError('unreadable-file', `${quote(config)} is no file of this repository.`);
  }
  if (found === undefined) return noFile;
  const shown = nameInRoot(config);
  return loadWith(shown, (file) => {
    const name = withSlashes(join(dirname(found), relative(dirname(shown), file)));
    const bytes = bytesOf(name);
    return bytes ? decodeText(file, bytes) : { problem: unreadable(file, 'path-not-found') };
  });
}
