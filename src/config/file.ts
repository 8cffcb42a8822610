/** The file contract-sync.yaml: parsed, checked, and every problem of it with its place. */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AuthSettings } from '../auth/choose.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { CarrierSetting } from '../contract/carrier.ts';
import type { NameRule } from '../contract/rename.ts';
import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';
import { ConfigError, DiagnosticsError } from '../core/errors.ts';
import { isObject, type JsonValue } from '../core/json.ts';
import { count, didYouMean, quote } from '../core/text.ts';
import type { EntityRule, OdcsSettings } from '../files/formats/odcs/settings.ts';
import { checkYaml, type PointerDiagnostic } from '../files/read/document.ts';
import { type OffsetDiagnostic, toDiagnostic } from '../files/read/finding.ts';
import { schema } from '../generated/config.js';
import { createLocator } from '../files/read/position.ts';
import { readText } from '../files/read/text.ts';
import { withoutSecrets } from '../http/address.ts';
import { type Pointer, valueAt } from '../patch/pointer.ts';
import type { Level } from '../compatibility/compatibility.ts';
import type { Mode, RuleId } from '../compatibility/rule.ts';
import type { TransitionRule } from '../contract/lifecycle.ts';
import type { LimitName } from '../plan/plan.ts';
import type { ConflictRule, DriftRule, Missing, Unmanaged } from '../plan/rules.ts';
import { type Schema, type Violation, violationsOf } from './schema.ts';

/** What the file may say of tokens. No secret is among it: the file stands in a repository. */
export type AuthFile = Pick<
  AuthSettings,
  | 'issuer'
  | 'clientId'
  | 'method'
  | 'scope'
  | 'resource'
  | 'audience'
  | 'idTokenAudience'
  | 'subjectTokenType'
>;

/** What it may say of ODCS files; templates as they are written. */
export type OdcsFile = Partial<
  Omit<OdcsSettings, 'entity' | 'name' | 'movedFrom' | 'owners'> & {
    readonly entity: string | readonly EntityRuleFile[];
    readonly name: string;
    readonly movedFrom: string | readonly string[];
    readonly owners: Partial<OdcsSettings['owners']>;
  }
>;

/** A rule of `odcs.entity`. */
export type EntityRuleFile = Partial<Pick<EntityRule, 'when' | 'type'>> & {
  readonly is: string | null;
};

/** What the file may say (`schemas/config.schema.json`). */
export type ConfigFile = {
  readonly catalog?: {
    readonly url?: string;
    readonly dialect?: DialectSetting | 'documented';
    readonly pageSize?: number | 'auto';
    readonly concurrency?: number;
    readonly timeoutSeconds?: number;
    readonly timeoutThrottledSeconds?: number;
  };
  readonly auth?: AuthFile;
  readonly contracts?: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
  readonly odcs?: OdcsFile;
  readonly lifecycle?: {
    readonly statuses?: readonly string[];
    readonly transitions?: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule?: TransitionRule;
    }[];
  };
  readonly scope?: readonly string[];
  readonly unmanaged?: Unmanaged['rule'];
  readonly missing?: Missing;
  readonly create?: boolean;
  readonly drift?: DriftRule;
  readonly conflicts?: ConflictRule;
  readonly compatibility?: CompatibilitySettings;
  readonly limits?: Readonly<Partial<Record<LimitName, string | number>>> & {
    readonly from?: number;
  };
  readonly protected?: readonly string[];
  readonly allow?: readonly ExceptionSettings[];
  readonly ignore?: readonly string[];
  readonly patch?: {
    readonly unordered?: readonly string[];
    readonly keys?: Readonly<Record<string, readonly string[]>>;
  };
  readonly openmetadata?: {
    readonly carrier?: CarrierSetting;
  };
  readonly names?: readonly NameRule[];
  readonly environments?: Readonly<Record<string, EnvironmentFile>>;
};

/** What one environment says otherwise; `protected: true` or `false` is about the environment itself. */
export type EnvironmentFile = Omit<ConfigFile, 'environments' | 'protected'> & {
  readonly protected?: boolean | readonly string[];
};

/** All keys of the file: one of them tells it from other files. */
const settingNames: Readonly<Record<keyof ConfigFile, true>> = {
  catalog: true,
  auth: true,
  contracts: true,
  odcs: true,
  lifecycle: true,
  scope: true,
  unmanaged: true,
  missing: true,
  create: true,
  drift: true,
  conflicts: true,
  compatibility: true,
  limits: true,
  protected: true,
  allow: true,
  ignore: true,
  patch: true,
  openmetadata: true,
  names: true,
  environments: true,
};

/** Levels stand under the names of statuses in lower case: `active: error`. */
export type CompatibilitySettings = CompatibilityChoices &
  Readonly<Omit<Record<string, Level>, keyof CompatibilityChoices>>;

type CompatibilityChoices = {
  readonly mode?: Mode;
  readonly widenings?: readonly (readonly string[])[];
};

type ExceptionSettings = {
  readonly contract: string;
  readonly rule: RuleId;
  readonly reason: string;
  readonly until?: string;
};

/** What the file says, and where. */
export type LoadedConfig = {
  readonly settings: ConfigFile;
  readonly locate: (pointer: Pointer) => SourcePosition;
};

/** Reads and checks the file; `name` is the path as the user knows it. */
export function readConfigFile(folder: string, name: string): LoadedConfig {
  if (statSync(resolve(folder, name), { throwIfNoEntry: false })?.isDirectory())
    throw isFolder(name);
  const read = readText(name, folder, Object.keys(settingNames));
  if ('problem' in read) throw unusable([read.problem]);
  return parseConfig(name, read.text);
}

/** Checks the text of such a file. */
export function parseConfig(name: string, text: string): LoadedConfig {
  const { documents, lines, findings } = checkYaml(text, configProblems);
  const [document, second] = documents;
  const all = [
    ...findings,
    ...(document?.findings ?? []),
    ...(second ? [secondDocument(second.offset)] : []),
  ];
  if (all.length > 0) throw unusable(all.map((finding) => toDiagnostic(name, lines, finding)));
  const source = { file: name, text, index: 0 };
  const locate = createLocator();
  // An empty file sets nothing.
  const settings = withPlainUrls(document?.fields ?? {});
  return { settings, locate: (pointer) => locate(source, pointer) };
}

function withPlainUrls(settings: ConfigFile): ConfigFile {
  const { environments } = settings;
  if (!environments) return withPlainUrlsOf(settings);
  const plain = Object.entries(environments).map(([name, own]) => [name, withPlainUrlsOf(own)]);
  return { ...withPlainUrlsOf(settings), environments: Object.fromEntries(plain) };
}

function withPlainUrlsOf<Settings extends Pick<ConfigFile, 'catalog' | 'auth'>>(
  settings: Settings,
): Settings {
  const { catalog, auth } = settings;
  return {
    ...settings,
    ...(catalog?.url !== undefined && {
      catalog: { ...catalog, url: withoutSecrets(catalog.url) },
    }),
    ...(auth?.issuer !== undefined && { auth: { ...auth, issuer: withoutSecrets(auth.issuer) } }),
  };
}

function isFolder(name: string): ConfigError {
  return new ConfigError('config-is-folder', `${quote(name)} is a folder.`, {
    hint: `Name the file in it, such as ${join(name, 'contract-sync.yaml')}.`,
  });
}

/** The configuration cannot be used, for these reasons. */
export function unusable(diagnostics: readonly Diagnostic[]): DiagnosticsError {
  const marked = diagnostics.map(({ source, ...rest }) => ({
    ...rest,
    ...(source && { source: { ...source, format: 'configuration' } as const }),
  }));
  return new DiagnosticsError('invalid-config', 'The configuration has errors.', marked);
}

function secondDocument(offset: number): OffsetDiagnostic {
  return {
    code: 'second-document',
    severity: 'error',
    message: 'A second document starts here: the configuration must be one.',
    hint: 'Remove the `---`.',
    offset,
  };
}

/** What `schemas/config.schema.json` does not allow. */
function configProblems(document: JsonValue): PointerDiagnostic[] {
  return violationsOf(document, schema).map(
    (violation) => goneKey(violation, document) ?? describe(violation, document),
  );
}

/** Keys of earlier versions, and what does their job now. */
const gone: ReadonlyMap<string, string> = new Map([
  [
    'compatibility.*.after',
    'Write the level alone, such as `deprecated: warn`; it holds from the first day.',
  ],
  ['compatibility.against', 'Remove it: a change is compared with the live contract.'],
  ['compatibility.window', 'Remove it: a change is compared with the live contract.'],
  ['patch.operations', 'Remove it: patches may use all operations of RFC 6902.'],
  ['patch.moves', 'Remove it: a reorder is sent as `move` operations.'],
  ['users', 'Remove it: `contract-sync history` says who edited a contract, and when.'],
]);

/** A key that is gone, alone or in an environment; nothing else is said of its value. */
function goneKey(
  { keyword, pointer, member = '' }: Violation,
  document: JsonValue,
): PointerDiagnostic | undefined {
  const value = valueAt(document, pointer);
  const named = keyword === 'additionalProperties' ? [member] : [];
  // A level could be a mapping.
  const below = keyword === 'enum' && isObject(value) ? Object.keys(value) : named;
  for (const key of [pointer, ...below.map((name) => [...pointer, name])]) {
    const path = key[0] === 'environments' ? key.slice(2) : key;
    const hint = gone.get(path.join('.')) ?? gone.get(path.toSpliced(1, 1, '*').join('.'));
    const message = `\`${key.join('.')}\` is gone.`;
    if (hint !== undefined)
      return { code: 'unknown-key', message, hint, pointer: key, atKey: true };
  }
  return undefined;
}

function describe(violation: Violation, document: JsonValue): PointerDiagnostic {
  const { keyword, pointer, member = '' } = violation;
  if (keyword === 'additionalProperties') return unknownKey(pointer, member, violation.schema);
  const name = pointer.length === 0 ? 'The configuration' : `\`${pointer.join('.')}\``;
  const hint = shapeHint(violation, document);
  const message = `${name} ${complaints[keyword](violation.schema, member)}.`;
  return { code: 'invalid-setting', message, ...(hint !== undefined && { hint }), pointer };
}

/** What is said of a setting, by the keyword of its schema that it breaks. */
const complaints: Readonly<
  Record<Violation['keyword'], (schema: Schema, member: string) => string>
> = {
  type: ({ type }) => `must be ${shapeNames[String(type)] ?? String(type)}`,
  enum: ({ enum: choices = [] }) => `must be one of ${choices.map(String).join(', ')}`,
  anyOf: inWords,
  pattern: inWords,
  required: (_, member) => `lacks \`${member}\``,
  minimum: ({ minimum }) => `must be at least ${minimum}`,
  exclusiveMinimum: ({ exclusiveMinimum }) => `must be more than ${exclusiveMinimum}`,
  maximum: ({ maximum }) => `must be at most ${maximum}`,
  minLength: ({ minLength = 0 }) => `needs at least ${count(minLength, 'character', 'characters')}`,
  minItems: ({ minItems = 0 }) => `needs at least ${count(minItems, 'item', 'items')}`,
  uniqueItems: () => 'has the same item twice',
  propertyNames: ({ propertyNames: { $comment = 'of the right form' } = {} }) =>
    `has a key that is not ${$comment}`,
  additionalProperties: (_, member) => `must not have \`${member}\``,
  const: ({ const: only }) => `must be ${JSON.stringify(only)}`,
};

/** As the schema says in words what it asks for. */
function inWords({ $comment = 'of another form' }: Schema): string {
  return `must be ${$comment}`;
}

const shapeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping',
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
};

/** What the value looks like as a list or a mapping, where it is neither. */
function shapeHint(
  { keyword, pointer, schema: { type, properties = {} } }: Violation,
  document: JsonValue,
): string | undefined {
  const key = pointer.at(-1);
  if (keyword !== 'type' || key === undefined) return undefined;
  switch (type) {
    case 'array': {
      const value = valueAt(document, pointer);
      const item = value === undefined || value === null || isObject(value) ? '…' : value;
      return `Write \`${key}: [${item === '…' ? item : JSON.stringify(item)}]\`.`;
    }
    case 'object':
      return `Write \`${key}: { ${Object.keys(properties)[0] ?? 'KEY'}: … }\`.`;
    default:
      return undefined;
  }
}

function unknownKey(parent: Pointer, key: string, { properties = {} }: Schema): PointerDiagnostic {
  const where = parent.length === 0 ? 'the configuration' : `\`${parent.join('.')}\``;
  const known = Object.keys(properties);
  return {
    code: 'unknown-key',
    message: `Unknown key ${quote(key)}${parent.length === 0 ? '' : ` in ${where}`}.`,
    hint: didYouMean(key, known) ?? `The keys of ${where} are ${known.join(', ')}.`,
    pointer: [...parent, key],
    atKey: true,
  };
}
