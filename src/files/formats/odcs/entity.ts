import { matchesSegments } from '../../../contract/names.ts';
import { printable, quote } from '../../../core/text.ts';
import { customProperty } from './extension.ts';
import {
  listAt,
  type MappingScope,
  memberAt,
  objectsIn,
  type PlacedObject,
  scalarText,
} from './scope.ts';
import { type Stated, stateGroup, stateList, stateValue } from './refine.ts';
import { type EntityRule, fillTemplate, type Template } from './template.ts';

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
