import { splitSegments } from '../../../contract/names.ts';
import type { JsonObject } from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';

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

const filters = {
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

export function fillTemplate(
  template: Template,
  filling: {
    readonly lookup: (placeholder: string) => string | undefined;
    readonly textOf: (text: string) => string;
  },
) {
  const physicalName = filling.lookup('object.physicalName');
  const filled = withoutBroughtSegments(template, physicalName).map((part) => {
    if (part.kind === 'text') return filling.textOf(part.text);
    const value = filling.lookup(part.name);
    if (value === undefined) return { missing: part.name };
    return part.filters.reduce((text, filter) => filters[filter](text), value);
  });
  return {
    text: filled.map((part) => (typeof part === 'string' ? part : '')).join(''),
    missing: filled.flatMap((part) => (typeof part === 'string' ? [] : part.missing)),
  };
}

// A physical name such as `public.orders` repeats segments of the qualified name: as many segments
// of the server right before it are dropped.
function withoutBroughtSegments(template: Template, physicalName = ''): Template {
  const at = template.findIndex(
    (part) =>
      part.kind === 'placeholder' &&
      part.name === 'object.physicalName' &&
      !part.filters.includes('quote'),
  );
  if (at === -1) return template;
  let start = at;
  const dots = physicalName.replaceAll(/"[^"]*"/gu, '').split('.').length - 1;
  for (let brought = dots; brought > 0; brought -= 1) {
    if (!endsInServerSegment(template.slice(0, start))) break;
    start -= 2;
  }
  return [...template.slice(0, start), ...template.slice(at)];
}

function endsInServerSegment(parts: Template): boolean {
  const [before, server, dot] = [parts.at(-3), parts.at(-2), parts.at(-1)];
  return (
    dot?.kind === 'text' &&
    dot.text === '.' &&
    server?.kind === 'placeholder' &&
    server.name.startsWith('server.') &&
    (before === undefined || (before.kind === 'text' && before.text.endsWith('.')))
  );
}

export type Bindings = ReadonlyMap<string, string>;

/** The placeholder values with which a rule yields this entity; undefined where none can. */
export function bindingsFor({ is, when }: EntityRule, entity: string): Bindings | undefined {
  if (is === null) return undefined;
  const placeholders = is.filter((part) => part.kind === 'placeholder');
  const patterns = is.map((part) =>
    part.kind === 'placeholder'
      ? '("(?:[^"]|"")*"|[^."]+)'
      : part.text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`),
  );
  const found = new RegExp(`^${patterns.join('')}$`, 'u').exec(entity);
  if (!found) return undefined;
  const bindings = new Map<string, string>();
  for (const [index, { name, filters }] of placeholders.entries()) {
    const text = found[index + 1] ?? '';
    const value = filters.includes('quote') ? (splitSegments(text)[0] ?? text) : text;
    if ((bindings.get(name) ?? value) !== value) return undefined;
    bindings.set(name, value);
  }
  const said = Object.entries(when).filter(
    ([name, pattern]) => !bindings.has(name) && !pattern.includes('*'),
  );
  return new Map([...bindings, ...said]);
}

export function boundMembers(
  bindings: Bindings,
  { entity, server }: { readonly entity: string; readonly server?: string | undefined },
) {
  const of = (kind: string): JsonObject => {
    const own = [...bindings].filter(([placeholder]) => placeholder.startsWith(`${kind}.`));
    return Object.fromEntries(own.map(([name, value]) => [name.slice(kind.length + 1), value]));
  };
  const table = splitSegments(entity).at(-1) ?? entity;
  const { name = table, physicalName } = of('object');
  const { type = 'custom', ...keys } = of('server');
  const hasServer = Object.keys(of('server')).length > 0;
  const properties = Object.entries(of('property'));
  return {
    document: of('contract'),
    ...(hasServer && { servers: [{ server: server ?? 'production', type, ...keys }] }),
    object: {
      name: bindings.has('object.name') ? name : (physicalName ?? name),
      ...(physicalName !== undefined && bindings.has('object.name') && { physicalName }),
      ...(properties.length > 0 && {
        customProperties: properties.map(([property, value]) => ({ property, value })),
      }),
    },
  };
}
