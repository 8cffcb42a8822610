/** A live contract as a new ODCS document. Pure. */

import { isArray, isNothing, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { splitDescription } from '../../files/formats/odcs/description.ts';
import { defaultOdcsRules } from '../../files/formats/odcs/settings.ts';
import { slaMembers } from '../../files/formats/odcs/sla.ts';
import type { Divergence, FileChecks } from '../divergence.ts';
import { type Bindings, bindingsFor, boundMembers } from './bind.ts';
import { composeProperty } from './property.ts';
import { composeEntry } from './sla.ts';
import { statusWord } from './status.ts';

/** Of the standard, for new documents. */
const version = { text: 'v3.1.0', minor: 1 };

/** A live contract, and what its document will be read by. */
type ToCompose = Pick<Divergence, 'live' | 'rules'> & { readonly checks: FileChecks };

/** A document for each rule of the configuration by which it can be bound; some may not work out. */
export function composeOdcs({ live, rules, checks }: ToCompose): readonly JsonObject[] {
  const { settings } = checks.odcs ?? defaultOdcsRules;
  const entity = live.entity?.fullyQualifiedName;
  const nothing: Bindings = new Map();
  if (settings.entity.length === 0) return [compose({ live, rules, checks }, nothing)];
  if (entity === undefined) return [];
  const bound = settings.entity.map((rule) => bindingsFor(rule, entity));
  return bound.flatMap((bindings) =>
    bindings ? [compose({ live, rules, checks }, bindings)] : [],
  );
}

function compose({ live, rules, checks }: ToCompose, bindings: Bindings): JsonObject {
  const { settings } = checks.odcs ?? defaultOdcsRules;
  const entity = live.entity?.fullyQualifiedName ?? live.fullyQualifiedName ?? live.id;
  const { document, servers, object } = boundMembers(bindings, {
    entity,
    server: settings.server,
  });
  const { description, schema, sla } = live.document;
  return {
    apiVersion: version.text,
    kind: 'DataContract',
    id: live.id,
    ...(live.name !== undefined && { name: live.name }),
    version: threeParts(live.version),
    ...statusOf({ live, rules, checks }),
    ...document,
    ...(typeof description === 'string' && { description: splitDescription(description) }),
    ...(servers && { servers }),
    schema: [{ ...object, ...(isArray(schema) && { properties: propertiesOf(schema) }) }],
    ...(isObject(sla) && entriesOf(sla)),
  };
}

/** ODCS asks for three numbers; the catalog has two. */
function threeParts(number = '0.1'): string {
  return `${number}.0`;
}

function statusOf({ live, rules, checks: { statuses, odcs = defaultOdcsRules } }: ToCompose) {
  const run = { ...odcs.run, statuses };
  const status = statusWord(live.document['entityStatus'], rules, { settings: odcs.settings, run });
  return status === undefined ? {} : { status };
}

function propertiesOf(schema: readonly JsonValue[]): JsonValue[] {
  return schema.filter(isObject).map((column) => composeProperty(column, version));
}

/** Where the catalog has none of these the document says nothing of it. */
function entriesOf(sla: JsonObject): JsonObject {
  const entries = slaMembers.flatMap((member) => {
    const value = sla[member.member] ?? null;
    return isNothing(value) ? [] : (composeEntry(member, value) ?? []);
  });
  return entries.length === 0 ? {} : { slaProperties: entries };
}

/** The document without what it says of a field. */
export function withoutField(document: JsonObject, field: string): JsonObject {
  const { schema } = document;
  if (field !== 'schema' || !isArray(schema))
    return without(document, sectionNames[field] ?? field);
  const objects = schema.filter(isObject).map((object) => without(object, 'properties'));
  return { ...document, schema: objects };
}

const sectionNames: { readonly [field: string]: string } = {
  entityStatus: 'status',
  sla: 'slaProperties',
};

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
}
