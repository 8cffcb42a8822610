import { didYouMean, quote } from '../../../core/text.ts';

/** A qualified name with placeholders: `warehouse.{server.schema}.{object.physicalName|lower}`. */
export type Template = readonly TemplatePart[];

type TemplatePart = { readonly kind: 'text'; readonly text: string } | PlaceholderPart;

type PlaceholderPart = {
  readonly kind: 'placeholder';
  readonly name: string;
  readonly filters: readonly Filter[];
};

type Filter = keyof typeof filters;

const filters = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  /** As one segment of a qualified name, whatever dots are in it. */
  quote: (text: string) => (/[."]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
} as const;

/** What is wrong with a template of the configuration. */
export type TemplateProblem = { readonly message: string; readonly hint: string };

/** A parsed template, or what keeps the text from being one. */
export type ParsedTemplate =
  | { readonly template: Template }
  | { readonly problem: TemplateProblem };

/** Parses a template and checks its placeholders. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  for (const [lexeme] of text.matchAll(lexemes)) {
    const part = parsePart(lexeme);
    if ('problem' in part) return part;
    parts.push(part);
  }
  return parts.length === 0 ? { problem: emptyTemplate } : { template: parts };
}

/** A variable, a placeholder, a stray brace, or the text in between. */
const lexemes = /\$\{[^{}]*\}|\{[^{}]*\}|[{}]|(?:[^{}$]|\$(?!\{))+|\$/gu;

function parsePart(lexeme: string): TemplatePart | { readonly problem: TemplateProblem } {
  if (lexeme === '{' || lexeme === '}') return { problem: strayBrace(lexeme) };
  if (!lexeme.startsWith('{')) return { kind: 'text', text: lexeme };
  const [name = '', ...names] = lexeme
    .slice(1, -1)
    .split('|')
    .map((word) => word.trim());
  const problem = placeholderProblem(name) ?? filterProblem(names);
  return problem ? { problem } : { kind: 'placeholder', name, filters: names.filter(isFilter) };
}

function isFilter(name: string): name is Filter {
  return Object.hasOwn(filters, name);
}

const emptyTemplate: TemplateProblem = {
  message: 'The template is empty.',
  hint: 'Write the qualified name of an entity, or null to leave objects out.',
};

function strayBrace(brace: string): TemplateProblem {
  return {
    message: `The template has a stray "${brace}".`,
    hint: 'Write placeholders as {object.physicalName}, and variables as ${NAME}.',
  };
}

function filterProblem(names: readonly string[]): TemplateProblem | undefined {
  const unknown = names.find((name) => !isFilter(name));
  if (unknown === undefined) return undefined;
  const known = Object.keys(filters);
  return {
    message: `Unknown filter ${quote(unknown)}.`,
    hint: didYouMean(unknown, known) ?? `The filters are ${known.join(', ')}.`,
  };
}

/** The keys of a server entry, of any of its types, that can be part of a name. */
const serverKeys = [
  'server',
  'type',
  'environment',
  'catalog',
  'project',
  'database',
  'dataset',
  'schema',
  'account',
  'host',
  'port',
  'location',
  'path',
  'format',
  'namespace',
  'region',
  'regionName',
  'serviceName',
  'stream',
  'warehouse',
  'workgroup',
];

const knownPlaceholders: readonly string[] = [
  'object.name',
  'object.physicalName',
  ...['id', 'name', 'domain', 'dataProduct', 'tenant'].map((key) => `contract.${key}`),
  ...serverKeys.map((key) => `server.${key}`),
];

/** What is wrong with the name of a placeholder; undefined where there is such a placeholder. */
export function placeholderProblem(name: string): TemplateProblem | undefined {
  if (knownPlaceholders.includes(name) || /^property\..+/u.test(name)) return undefined;
  return {
    message: `Unknown placeholder ${quote(name)}.`,
    hint:
      didYouMean(name, knownPlaceholders) ??
      'Use server.*, object.name, object.physicalName, contract.*, or property.NAME for a custom property.',
  };
}

export type FilledTemplate = {
  readonly text: string;
  /** The placeholders without a value. */
  readonly missing: readonly string[];
};

/** What the parts of a template become. */
export type Filling = {
  readonly lookup: (placeholder: string) => string | undefined;
  /** The text between placeholders, with its variables resolved. */
  readonly textOf: (text: string) => string;
};

/** The template with its placeholders' values. */
export function fillTemplate(template: Template, filling: Filling): FilledTemplate {
  const physicalName = filling.lookup('object.physicalName');
  const filled = withoutBroughtSegments(template, physicalName).map((part) =>
    part.kind === 'text' ? filling.textOf(part.text) : fillPart(part, filling),
  );
  return {
    text: filled.map((part) => (typeof part === 'string' ? part : '')).join(''),
    missing: filled.flatMap((part) => (typeof part === 'string' ? [] : part.missing)),
  };
}

function fillPart(
  { name, filters: names }: PlaceholderPart,
  { lookup }: Filling,
): string | { readonly missing: string } {
  const value = lookup(name);
  if (value === undefined) return { missing: name };
  return names.reduce((text, filter) => filters[filter](text), value);
}

/**
 * A physical name such as `public.orders` brings along segments of the qualified name: as many of
 * the server's are dropped right in front of it.
 */
function withoutBroughtSegments(template: Template, physicalName = ''): Template {
  const at = template.findIndex(
    (part) =>
      part.kind === 'placeholder' &&
      part.name === 'object.physicalName' &&
      !part.filters.includes('quote'),
  );
  if (at === -1) return template;
  let start = at;
  for (let brought = dotsIn(physicalName); brought > 0; brought -= 1) {
    if (!endsInServerSegment(template.slice(0, start))) break;
    start -= 2;
  }
  return [...template.slice(0, start), ...template.slice(at)];
}

/** Dots inside of quotes separate nothing. */
function dotsIn(name: string): number {
  return name.replaceAll(/"[^"]*"/gu, '').split('.').length - 1;
}

/** Whether parts end in one placeholder of the server that is a segment of its own, and a dot. */
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
