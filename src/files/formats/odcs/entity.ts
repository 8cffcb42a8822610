import { type EntityRule, filters, type Template } from './settings.ts';
import { matchesSegments, splitSegments } from '../../../contract/names.ts';
import { printable, quote } from '../../../core/text.ts';
import { customProperty } from './document-fields.ts';
import {
  listAt,
  type MappingScope,
  memberAt,
  objectsIn,
  type PlacedObject,
  scalarText,
  type Stated,
  stateGroup,
  stateList,
  stateValue,
} from './scope.ts';
import type { JsonObject } from '../../../core/json.ts';

export type StatedIdentity = { readonly [field: string]: Stated };

type ObjectScope = MappingScope & { readonly object: PlacedObject };

/** Undefined where the entity is not known, which is reported. */
export function bindToEntity(scope: ObjectScope): StatedIdentity | 'left-out' | undefined {
  const { settings } = scope;
  const subject = labelOf(scope.object);
  if (settings.entity.length === 0) {
    const message = `The configuration doesn't say which entity ${subject} is.`;
    const example = '"warehouse.{server.database}.{server.schema}.{object.physicalName}"';
    return unbound(scope, message, `Set \`odcs.entity\`, for example to ${example}.`);
  }
  const values = makeValues(scope);
  const missing: (readonly string[])[] = [];
  for (const rule of settings.entity) {
    const holds = Object.entries(rule.when).every(([placeholder, pattern]) => {
      const value = values.lookup(placeholder);
      return value !== undefined && matchesSegments([pattern], [value]);
    });
    if (!holds) continue;
    if (rule.is === null) return 'left-out';
    const name = fill(rule.is, values, scope);
    if ('text' in name) return bound(scope, { rule, values, entity: name.text });
    missing.push(name.missing);
  }
  if (values.servers.length > 1 && !values.server && values.needsServer()) {
    const { servers } = values;
    const selected = settings.server;
    const names = servers.map((server) => scalarText(memberAt(server, 'server')?.value) ?? '?');
    const shown = [...names.slice(0, mostServers), ...(names.length > mostServers ? ['…'] : [])];
    const why =
      selected === undefined ? 'none is selected' : `${quote(selected)} doesn't select exactly one`;
    const message = `The file has ${servers.length} servers, and ${why}: ${printable(shown.join(', '))}.`;
    const hint = 'Set `odcs.server` to the `server` or `environment` of one of them.';
    scope.report({ code: 'server-ambiguous', message, hint, pointer: ['servers'] });
    return undefined;
  }
  const [fewest] = missing.toSorted((a, b) => a.length - b.length);
  if (!fewest) {
    const message = `No rule of \`odcs.entity\` applies to ${subject}.`;
    return unbound(scope, message, 'Add a rule for it; `is: null` leaves it out.');
  }
  const message = `Can't tell which entity ${subject} is: ${without(fewest)}`;
  const hint = 'Add what is missing to the file, or a rule for this object to `odcs.entity`.';
  return unbound(scope, message, hint);
}

// Templates come from the configuration, so problems of their variables are placed at the object.
function fill(template: Template, values: PlaceholderValues, { object, resolve }: ObjectScope) {
  const { text, missing } = fillTemplate(template, {
    lookup: values.lookup,
    textOf: (part) => resolve(part, object.pointer),
  });
  return missing.length > 0 ? { missing } : { text };
}

function bound(
  scope: ObjectScope,
  { rule, values, entity }: { rule: EntityRule; values: PlaceholderValues; entity: string },
): StatedIdentity | undefined {
  const { settings, object } = scope;
  const state = (value: string): Stated => stateValue(object.pointer, value);
  const names = settings.movedFrom
    .map((template) => fill(template, values, scope))
    .flatMap((name) => ('text' in name && name.text !== entity ? [name.text] : []));
  const former = [...new Set(names)];
  const known = {
    ...(former.length > 0 && { movedByRule: stateList(object.pointer, former.map(state)) }),
    entity: stateGroup(object.pointer, {
      type: state(rule.type ?? settings.entityType),
      fullyQualifiedName: state(entity),
    }),
  };
  if (!settings.name) return known;
  const name = fill(settings.name, values, scope);
  if ('missing' in name) {
    const message = `Can't name the contract of ${labelOf(object)}: ${without(name.missing)}`;
    return unbound(scope, message, 'Add what is missing to the file, or change `odcs.name`.');
  }
  return { name: state(name.text), ...known };
}

function labelOf(object: PlacedObject): string {
  const name = scalarText(memberAt(object, 'name')?.value);
  return name === undefined ? 'this object' : quote(name);
}

function without(missing: readonly string[]): string {
  return `no value for ${missing.map((name) => `{${name}}`).join(' and ')}.`;
}

function unbound({ object, report }: ObjectScope, message: string, hint: string): undefined {
  report({ code: 'entity-unknown', message, hint, pointer: object.pointer });
}

const mostServers = 8;

type PlaceholderValues = ReturnType<typeof makeValues>;

// `server` is undefined where none is chosen, or several are.
function makeValues(scope: ObjectScope) {
  const { servers, server } = chooseServer(scope.document, scope.settings.server);
  let isServerNeeded = false;
  return {
    servers,
    server,
    needsServer: () => isServerNeeded,
    lookup: (placeholder: string): string | undefined => {
      const [kind = '', ...names] = placeholder.split('.');
      const name = names.join('.');
      if (kind === 'contract') return plainText(scope.document, name, scope);
      if (kind === 'object') {
        const value = plainText(scope.object, name, scope);
        if (name !== 'physicalName') return value;
        return value ?? plainText(scope.object, 'name', scope);
      }
      if (kind === 'property') {
        const found = customProperty(name, scope);
        return found && plainText(found, 'value', scope);
      }
      isServerNeeded = true;
      const member = server && memberAt(server, name);
      const text = scalarText(member?.value);
      // Servers may hold variables in files of any version.
      return text && member && scalarText(scope.resolve(text, member.pointer));
    },
  };
}

function plainText(parent: PlacedObject, name: string, { text }: MappingScope): string | undefined {
  return scalarText(text(parent, name)?.value ?? memberAt(parent, name)?.value);
}

// The only entry, or the one selected by `server`, else by `environment`.
function chooseServer(document: PlacedObject, selected: string | undefined) {
  const servers = objectsIn(listAt(document, 'servers'));
  const matching = (key: string): PlacedObject[] =>
    servers.filter((server) => scalarText(memberAt(server, key)?.value) === selected);
  const candidates =
    servers.length < 2 || selected === undefined
      ? servers
      : [matching('server'), matching('environment'), servers].find((found) => found.length > 0);
  const [server, another] = candidates ?? [];
  return { servers, server: another ? undefined : server };
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
