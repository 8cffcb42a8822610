import { type EntityRule, filters, type Template } from './settings.ts';
import { matchesSegments } from '../../../contract/names.ts';
import { printable, quote } from '../../../core/text.ts';
import { customProperty } from './document-fields.ts';
import {
  type MappingScope,
  memberAt,
  objectsAt,
  type PlacedObject,
  scalarText,
  type Stated,
  stateGroup,
  stateValue,
} from './scope.ts';
import type { PointerDiagnostic } from '../../read/document.ts';

export type StatedIdentity = { readonly [field: string]: Stated };

type ObjectScope = MappingScope & { readonly object: PlacedObject };

type Lookup = (placeholder: string) => string | undefined;

/** Undefined where the entity is not known, which is reported. */
export function bindToEntity(scope: ObjectScope): StatedIdentity | 'left-out' | undefined {
  const { settings, document, object } = scope;
  const subject = labelOf(object);
  const refuse = (message: string, hint: string): undefined => {
    scope.report({ code: 'entity-unknown', message, hint, pointer: object.pointer });
  };
  if (settings.entity.length === 0) {
    const message = `The configuration doesn't say which entity ${subject} is.`;
    const example = '"warehouse.{server.database}.{server.schema}.{object.physicalName}"';
    return refuse(message, `Set \`odcs.entity\`, for example to ${example}.`);
  }
  const servers = candidateServers(document, settings.server);
  const lookup = lookupIn(scope, servers.length === 1 ? servers[0] : undefined);
  const lacking: (readonly string[])[] = [];
  for (const rule of settings.entity.filter((each) => applies(each, lookup))) {
    if (rule.is === null) return 'left-out';
    const { text: entity, missing } = fill(rule.is, lookup, scope);
    if (missing.length > 0) {
      lacking.push(missing);
      continue;
    }
    const name = settings.name && fill(settings.name, lookup, scope);
    if (name && name.missing.length > 0) {
      const message = `Can't name the contract of ${subject}: ${without(name.missing)}`;
      return refuse(message, 'Add what is missing to the file, or change `odcs.name`.');
    }
    return stateIdentity(scope, rule.type ?? settings.entityType, entity, name?.text);
  }
  if (servers.length > 1 && settings.entity.some(needsServer)) {
    scope.report(ambiguous(document, settings.server));
    return undefined;
  }
  const [fewest] = lacking.toSorted((a, b) => a.length - b.length);
  if (!fewest) {
    const message = `No rule of \`odcs.entity\` applies to ${subject}.`;
    return refuse(message, 'Add a rule for it; `is: null` leaves it out.');
  }
  const message = `Can't tell which entity ${subject} is: ${without(fewest)}`;
  const hint = 'Add what is missing to the file, or a rule for this object to `odcs.entity`.';
  return refuse(message, hint);
}

function applies({ when }: EntityRule, lookup: Lookup): boolean {
  return Object.entries(when).every(([placeholder, pattern]) => {
    const value = lookup(placeholder);
    return value !== undefined && matchesSegments([pattern], [value]);
  });
}

function stateIdentity({ object }: ObjectScope, type: string, entity: string, name?: string) {
  const state = (value: string): Stated => stateValue(object.pointer, value);
  return {
    ...(name !== undefined && { name: state(name) }),
    entity: stateGroup(object.pointer, { type: state(type), fullyQualifiedName: state(entity) }),
  };
}

function labelOf(object: PlacedObject): string {
  const name = scalarText(memberAt(object, 'name')?.value);
  return name === undefined ? 'this object' : quote(name);
}

function without(missing: readonly string[]): string {
  return `no value for ${missing.map((name) => `{${name}}`).join(' and ')}.`;
}

function fill(template: Template, lookup: Lookup, { object, resolve }: ObjectScope) {
  const missing: string[] = [];
  const filled = template.map((part) => {
    // Templates come from the configuration, so problems of their variables are placed at the object.
    if (part.kind === 'text') return resolve(part.text, object.pointer);
    const value = lookup(part.name);
    if (value === undefined) missing.push(part.name);
    return part.filters.reduce((text, filter) => filters[filter](text), value ?? '');
  });
  return { text: filled.join(''), missing };
}

function lookupIn(scope: ObjectScope, server: PlacedObject | undefined): Lookup {
  const textOf = (parent: PlacedObject, name: string): string | undefined =>
    scalarText(scope.text(parent, name)?.value ?? memberAt(parent, name)?.value);
  return (placeholder) => {
    const [kind = '', ...names] = placeholder.split('.');
    const name = names.join('.');
    switch (kind) {
      case 'contract':
        return textOf(scope.document, name);
      case 'object': {
        const value = textOf(scope.object, name);
        return name === 'physicalName' ? (value ?? textOf(scope.object, 'name')) : value;
      }
      case 'property': {
        const property = customProperty(name, scope);
        return property && textOf(property, 'value');
      }
      default: {
        const member = server && memberAt(server, name);
        const text = scalarText(member?.value);
        // Servers may hold variables in files of any version.
        return text && member && scalarText(scope.resolve(text, member.pointer));
      }
    }
  };
}

// The only server, or those selected by `server`, else by `environment`.
function candidateServers(document: PlacedObject, selected: string | undefined) {
  const servers = objectsAt(document, 'servers');
  if (servers.length < 2 || selected === undefined) return servers;
  const selectedBy = (key: string): readonly PlacedObject[] =>
    servers.filter((server) => scalarText(memberAt(server, key)?.value) === selected);
  const found = [selectedBy('server'), selectedBy('environment')];
  return found.find(({ length }) => length > 0) ?? servers;
}

function needsServer({ is, when }: EntityRule): boolean {
  const placeholders = (is ?? []).flatMap((part) => (part.kind === 'placeholder' ? part.name : []));
  return [...placeholders, ...Object.keys(when)].some((name) => name.startsWith('server.'));
}

const mostServers = 8;

function ambiguous(document: PlacedObject, selected: string | undefined): PointerDiagnostic {
  const names = objectsAt(document, 'servers').map(
    (server) => scalarText(memberAt(server, 'server')?.value) ?? '?',
  );
  const shown = [...names.slice(0, mostServers), ...(names.length > mostServers ? ['…'] : [])];
  const why =
    selected === undefined ? 'none is selected' : `${quote(selected)} doesn't select exactly one`;
  const message = `The file has ${names.length} servers, and ${why}: ${printable(shown.join(', '))}.`;
  const hint = 'Set `odcs.server` to the `server` or `environment` of one of them.';
  return { code: 'server-ambiguous', message, hint, pointer: ['servers'] };
}
