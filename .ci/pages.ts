/**
 * Writes the pages of `docs/` that are generated; a test keeps them current. Run it as
 * `node .ci/pages.ts`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarizeOutcomes } from '../src/apply/outcome.ts';
import { compatibilityRules } from '../src/compatibility/rule.ts';
import codes from '../src/report/codes.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

export function makePages(): Readonly<Record<string, string>> {
  return {
    'docs/codes.md': codesPage(),
    'docs/configuration.md': configurationPage(),
    'docs/policy.md': policyPage(),
  };
}

/** The page as it is, with the rules of today. */
function policyPage(): string {
  const rows = Object.entries(compatibilityRules).map(
    ([id, { says, forward, backward }]) => `| \`${id}\` | ${says} | ${forward} | ${backward} |`,
  );
  const table = ['| rule | the change | `forward` | `backward` |', '|---|---|---|---|', ...rows];
  return readFileSync(join(root, 'docs', 'policy.md'), 'utf8').replace(
    /(?<=<!-- rules -->\n)[^]*?(?=<!-- \/rules -->)/u,
    () => `\n${table.join('\n')}\n\n`,
  );
}

const kinds: Readonly<Record<string, string>> = {
  config: 'Command line, configuration and workflow',
  files: 'Files',
  auth: 'Tokens and permissions',
  network: 'Network and catalog',
  policy: 'What a plan may change',
  review: 'What was reviewed',
  apply: 'What became of a change',
};

function codesPage(): string {
  const outcomes = Object.keys(summarizeOutcomes({}, [], []).summary);
  const all = Object.entries(codes)
    .filter(([code]) => !outcomes.includes(code))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sections = Object.entries(kinds).map(([kind, title]) => {
    const items = all.filter(([, { failure }]) => failure === kind);
    const lines = items.map(([code, { means }]) => `\`${code}\`: ${means}`);
    return `## ${title} (\`${kind}\`)\n\n${lines.join('\n\n')}`;
  });
  return `# Codes

To find out what a message means, look up the code in its brackets; it stays the same when the words change. What to do
stands in the message, and in \`contract-sync explain CODE\`. The word behind a title is the \`failure\` of JSON documents.

Other pages have the codes of [outcomes](apply.md#outcomes), and of [rules by which a change breaks
consumers](policy.md#what-each-change-does).

${sections.join('\n\n')}
`;
}

type Schema = {
  readonly description?: string;
  readonly $ref?: string;
  readonly $comment?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
};

function configurationPage(): string {
  const text = readFileSync(join(root, 'schemas', 'config.schema.json'), 'utf8');
  const { description = '', properties = {} }: Schema = JSON.parse(text);
  const sections = Object.entries(properties).map(([name, schema]) => section(name, schema));
  return `# Configuration

${description}

To look up a key, search this page. contract-sync finds the file in the working directory or above, up to the root of the git repository.
Paths in it are relative to it; those of a file with another name, that \`--config\` names, to the working directory.
\`contract-sync schema config\` prints its JSON Schema. More is in [policy](policy.md), [environments](environments.md),
[teams](monorepo.md), [tokens](tokens/README.md) and [ODCS](odcs.md).

${sections.join('\n\n')}
`;
}

function section(name: string, schema: Schema): string {
  const { description = '' } = schema;
  const isMapping = schema.properties !== undefined || schema.type === 'object';
  const prose = `${description}${isMapping ? '' : ` Values: ${facts(schema)}.`}`;
  const keys = name === 'environments' ? [] : rows(schema);
  const parts = [`## \`${name}\``, prose, keys.join('\n')];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `text`, or `a number; default 8`. */
function facts(schema: Schema): string {
  const given = JSON.stringify(schema.default);
  const isSaid = given !== undefined && given !== '[]' && given !== '{}';
  return `${values(schema)}${isSaid ? `; default ${code(schema.default)}` : ''}`;
}

function rows(schema: Schema, prefix = ''): string[] {
  const { properties = {} } =
    schema.items ?? (schema.properties ? schema : schema.additionalProperties) ?? {};
  const entries = Object.entries(properties);
  const shared = entries.filter(([, { $ref }]) => $ref !== undefined).map(([key]) => `\`${key}\``);
  const own = entries.filter(([, { $ref }]) => $ref === undefined);
  return [
    ...own.flatMap(([key, inner]) => {
      const name = `${prefix}${key}`;
      const says = inner.description === undefined ? '' : `: ${inner.description}`;
      return [`- \`${name}\` (${facts(inner)})${says}`, ...rows(inner, `${name}.`)];
    }),
    ...(shared.length > 0 ? [`- ${shared.join(', ')}: as outside.`] : []),
  ];
}

function values(schema: Schema): string {
  const { enum: words, const: only, type, items, $comment } = schema;
  if ($comment !== undefined) return $comment;
  if (words) return words.map(code).join(', ');
  if (only !== undefined) return code(only);
  const members = items && values(items).replace(/^(?:a )?(list|mapping|text)\b/u, '$1s');
  const names: Readonly<Record<string, string>> = {
    object: 'mapping',
    string: 'text',
    boolean: '`true`, `false`',
    integer: 'number',
    array: members === undefined ? 'list' : `list of ${members}`,
  };
  return [type ?? []]
    .flat()
    .map((each) => names[each] ?? each)
    .join(' or ');
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(makePages())) writeFileSync(join(root, path), text);
}
