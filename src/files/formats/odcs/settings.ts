import { didYouMean, quote } from '../../../core/text.ts';

export type OdcsField =
  | 'entityStatus'
  | 'description'
  | 'schema'
  | 'sla'
  | 'owners'
  | 'extension'
  | 'odcsQualityRules'
  /** Of columns. */
  | 'tags';

export type OdcsSettings = {
  /** The first that applies wins; empty for files that identify contracts by UUID. */
  readonly entity: readonly EntityRule[];
  readonly entityType: string;
  /** The contract's own name, where an entity has several contracts. */
  readonly name?: Template;
  /** Selects by `server` or `environment` where a file has several servers. */
  readonly server?: string;
  readonly fields: readonly OdcsField[];
  /** Word of a file → status of the lifecycle; overrides the known words. */
  readonly status: { readonly [word: string]: string };
  readonly columnName: 'physical' | 'logical';
  readonly owners: {
    /** Case-insensitive. */
    readonly roles: readonly string[];
    /** The member's key that holds the user's name in the catalog. */
    readonly name: 'username' | 'name';
    readonly type: string;
    readonly team: boolean;
  };
  readonly extension: readonly string[];
  readonly variables: { readonly [name: string]: string };
};

export const defaultOdcsSettings: OdcsSettings = {
  entity: [],
  entityType: 'table',
  fields: ['entityStatus', 'description', 'schema', 'sla'],
  status: {},
  columnName: 'physical',
  owners: { roles: ['owner'], name: 'username', type: 'user', team: false },
  extension: [],
  variables: {},
};

export type OdcsRun = {
  /** `2027-01-31`; members who left before it are not owners. */
  readonly today: string;
  /** Statuses of the lifecycle that the catalog may lack. */
  readonly later?: readonly string[] | undefined;
  /** Whether the catalog takes any unit for each duration of a service level. */
  readonly takesAnyUnit?: boolean;
};

export type OdcsRules = {
  readonly settings: OdcsSettings;
  readonly run: OdcsRun;
};

export const defaultOdcsRules: OdcsRules = {
  settings: defaultOdcsSettings,
  run: { today: '' },
};

/** A qualified name with placeholders: `warehouse.{server.schema}.{object.physicalName|lower}`. */
export type Template = readonly TemplatePart[];

export type EntityRule = {
  /** Placeholder → pattern of its value, with `*` as wildcard; all have to match. */
  readonly when: { readonly [placeholder: string]: string };
  /** The entity's qualified name; null leaves the object out on purpose. */
  readonly is: Template | null;
  readonly type?: string;
};

type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'placeholder'; readonly name: string; readonly filters: readonly Filter[] };

type Filter = keyof typeof filters;

export const filters = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  quote: (text: string) => (/[."]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
} as const;

type TemplateProblem = { readonly message: string; readonly hint: string };

export function parseTemplate(text: string) {
  const parts: TemplatePart[] = [];
  for (const [lexeme] of text.matchAll(lexemes)) {
    const part = parsePart(lexeme);
    if ('problem' in part) return part;
    parts.push(part);
  }
  if (parts.length > 0) return { template: parts };
  const hint = 'Write the qualified name of an entity, or null to leave objects out.';
  return { problem: { message: 'The template is empty.', hint } };
}

const lexemes = /\$\{[^{}]*\}|\{[^{}]*\}|[{}]|(?:[^{}$]|\$(?!\{))+|\$/gu;

function parsePart(lexeme: string): TemplatePart | { readonly problem: TemplateProblem } {
  if (lexeme === '{' || lexeme === '}') {
    const hint = 'Write placeholders as {object.physicalName}, and variables as ${NAME}.';
    return { problem: { message: `The template has a stray "${lexeme}".`, hint } };
  }
  if (!lexeme.startsWith('{')) return { kind: 'text', text: lexeme };
  const [name = '', ...names] = lexeme
    .slice(1, -1)
    .split('|')
    .map((word) => word.trim());
  const problem = placeholderProblem(name);
  if (problem) return { problem };
  const unknown = names.find((each) => !isFilter(each));
  if (unknown === undefined) return { kind: 'placeholder', name, filters: names.filter(isFilter) };
  const known = Object.keys(filters);
  const hint = didYouMean(unknown, known) ?? `The filters are ${known.join(', ')}.`;
  return { problem: { message: `Unknown filter ${quote(unknown)}.`, hint } };
}

function isFilter(name: string): name is Filter {
  return Object.hasOwn(filters, name);
}

const serverKeys = `server type environment catalog project database dataset schema account host port
  location path format namespace region regionName serviceName stream warehouse workgroup`;

export function placeholderProblem(name: string): TemplateProblem | undefined {
  const knownPlaceholders = [
    'object.name',
    'object.physicalName',
    ...['id', 'name', 'domain', 'dataProduct', 'tenant'].map((key) => `contract.${key}`),
    ...serverKeys.split(/\s+/u).map((key) => `server.${key}`),
  ];
  if (knownPlaceholders.includes(name) || /^property\..+/u.test(name)) return undefined;
  const hint =
    didYouMean(name, knownPlaceholders) ??
    'Use server.*, object.name, object.physicalName, contract.*, or property.NAME for a custom property.';
  return { message: `Unknown placeholder ${quote(name)}.`, hint };
}
