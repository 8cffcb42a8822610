/** What a new ODCS document has to say for a template to make a qualified name of it. Pure. */

import { splitSegments } from '../../contract/names.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { EntityRule } from '../../files/formats/odcs/settings.ts';
import type { Template } from '../../files/formats/odcs/template.ts';

/** Placeholder → what it stands for. */
export type Bindings = ReadonlyMap<string, string>;

/** The values by which a rule names an entity; undefined where it never does. */
export function bindingsFor({ is, when }: EntityRule, entity: string): Bindings | undefined {
  if (is === null) return undefined;
  const placeholders = is.filter((part) => part.kind === 'placeholder');
  const found = new RegExp(`^${is.map(patternOf).join('')}$`, 'u').exec(entity);
  if (!found) return undefined;
  const bindings = new Map<string, string>();
  for (const [index, { name, filters }] of placeholders.entries()) {
    const text = found[index + 1] ?? '';
    const value = filters.includes('quote') ? unquoted(text) : text;
    if ((bindings.get(name) ?? value) !== value) return undefined;
    bindings.set(name, value);
  }
  return withConditions(bindings, when);
}

/** A segment of a name has no dot, unless it is quoted. */
function patternOf(part: Template[number]): string {
  if (part.kind === 'placeholder') return '("(?:[^"]|"")*"|[^."]+)';
  return part.text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

function unquoted(segment: string): string {
  return splitSegments(segment)[0] ?? segment;
}

/** What a rule asks for besides has to be said too, where it is one text. */
function withConditions(bindings: Bindings, when: EntityRule['when']): Bindings {
  const said = Object.entries(when).filter(
    ([name, pattern]) => !bindings.has(name) && !pattern.includes('*'),
  );
  return new Map([...bindings, ...said]);
}

/** The members of a document, and of its object, that give placeholders these values. */
export function boundMembers(
  bindings: Bindings,
  { entity, server }: { readonly entity: string; readonly server?: string | undefined },
) {
  const of = (kind: string): JsonObject => membersOf(bindings, kind);
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

function membersOf(bindings: Bindings, kind: string): { readonly [name: string]: JsonValue } {
  const own = [...bindings].filter(([placeholder]) => placeholder.startsWith(`${kind}.`));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(kind.length + 1), value]));
}
