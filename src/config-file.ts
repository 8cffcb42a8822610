/** The file contract-sync.yaml: parsed, checked, and every problem of it with its place. */

import type { Document } from 'yaml';
import type { AuthSettings } from './auth/settings.ts';
import { configProblems } from './config-shape.ts';
import type { DialectSetting } from './catalog/dialects/choose.ts';
import type { Diagnostic, SourcePosition } from './core/diagnostic.ts';
import { DiagnosticsError } from './core/errors.ts';
import { readDocument } from './files/document.ts';
import { toDiagnostic, type Finding } from './files/finding.ts';
import { createLocator } from './files/locator.ts';
import { readText } from './files/text.ts';
import { parseYaml } from './files/yaml.ts';
import type { Pointer } from './patch/pointer.ts';
import type { Mode, RuleId } from './plan/compatibility/rule.ts';
import type { TransitionRule } from './plan/lifecycle.ts';
import type { LimitName } from './plan/plan.ts';
import type { Unmanaged } from './plan/rules.ts';

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

/** What the file may say (`schemas/config.schema.json`). */
export type ConfigFile = {
  readonly catalog?: {
    readonly url?: string;
    readonly dialect?: DialectSetting;
    readonly pageSize?: number | 'auto';
    readonly concurrency?: number;
    readonly timeoutSeconds?: number;
  };
  readonly auth?: AuthFile;
  readonly contracts?: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
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
  readonly compatibility?: CompatibilitySettings;
  readonly limits?: Readonly<Partial<Record<LimitName, string | number>>> & {
    readonly from?: number;
  };
  readonly protected?: readonly string[];
  readonly allow?: readonly ExceptionSettings[];
  readonly ignore?: readonly string[];
  readonly patch?: {
    readonly operations?: 'rfc6902' | 'documented';
    readonly moves?: boolean;
    readonly unordered?: readonly string[];
    readonly keys?: Readonly<Record<string, readonly string[]>>;
  };
};

/** Levels stand under the names of statuses in lower case: `active: error`. */
export type CompatibilitySettings = Readonly<Record<string, unknown>> & {
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
  const read = readText(name, folder);
  if ('problem' in read) throw unusable([read.problem]);
  const yaml = parseYaml(read.text);
  const [document, second] = yaml.documents;
  const { fields, findings } = document
    ? readDocument(document, read.text, yaml, configProblems)
    : { fields: undefined, findings: [] };
  const all = [...yaml.findings, ...findings, ...(second ? [secondDocument(second)] : [])];
  if (all.length > 0) {
    throw unusable(all.map((finding) => toDiagnostic(name, yaml.lines, finding)));
  }
  const source = { file: name, text: read.text, index: 0 };
  const locate = createLocator();
  // An empty file sets nothing.
  return { settings: fields ?? {}, locate: (pointer) => locate(source, pointer) };
}

/** The configuration cannot be used, for these reasons. */
export function unusable(diagnostics: readonly Diagnostic[]): DiagnosticsError {
  return new DiagnosticsError('invalid-config', 'The configuration cannot be used.', diagnostics);
}

function secondDocument(document: Document.Parsed): Finding {
  return {
    code: 'second-document',
    severity: 'error',
    message: 'A second document starts here, and the configuration is one.',
    hint: 'Remove the `---`.',
    offset: document.range[0],
  };
}
