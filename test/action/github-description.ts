/** GitHub's own descriptions of its interfaces, so that no request of ours is one it does not take. */

import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { buildSchema, parse, validate, type GraphQLSchema } from 'graphql';

type Operation = {
  readonly parameters?: readonly ({ readonly $ref: string } | Parameter)[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
};

type Parameter = { readonly name: string; readonly in: string };

type Paths<Described> = Readonly<Record<string, Readonly<Record<string, Described>>>>;

type Description = {
  readonly paths: Paths<Operation>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Each as text. */
  readonly schemas: ReadonlyMap<string, string>;
};

/** Both are large (13 and 1 MB): read once, and only where a test asks GitHub. */
let description: Description | undefined;
let querySchema: GraphQLSchema | undefined;

function describe(): Description {
  description ??= readDescription();
  return description;
}

/** What requests need of it: a process with much memory takes long to start another. */
function readDescription(): Description {
  const file = import.meta.resolve('@octokit/openapi/generated/api.github.com.json');
  const { paths, components } = JSON.parse(readFileSync(new URL(file), 'utf8'));
  const schemas = new Map<string, string>();
  for (const [name, schema] of Object.entries(components.schemas))
    schemas.set(name, JSON.stringify(schema));
  const operations: Record<string, Record<string, Operation>> = {};
  for (const [template, methods] of Object.entries(paths as Paths<Operation>)) {
    const own: Record<string, Operation> = (operations[template] = {});
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods))
      own[method] = { parameters, ...(requestBody && { requestBody }) };
  }
  return { paths: operations, parameters: components.parameters, schemas };
}

function describeQueries(): GraphQLSchema {
  // The module itself would read five more megabytes, the same in JSON.
  const file = new URL('schema.graphql', import.meta.resolve('@octokit/graphql-schema'));
  querySchema ??= buildSchema(readFileSync(file, 'utf8'), { assumeValid: true });
  return querySchema;
}

export type SentRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: unknown;
};

/** What is wrong with a request to the REST interface. */
export function requestFaults({ method, path, query, body }: SentRequest): string[] {
  const found = findOperation(method.toLowerCase(), path);
  if (!found) return [`${method} ${path}: no operation`];
  const { operation, name } = found;
  const known = (operation.parameters ?? []).map(resolveParameter);
  const strange = query.filter(
    (key) => !known.some((one) => one.in === 'query' && one.name === key),
  );
  return [
    ...strange.map((key) => `${name}: no parameter ${key}`),
    ...bodyFaults(name, operation, body),
  ];
}

function findOperation(method: string, path: string) {
  const { paths } = describe();
  const segments = path.split('/');
  const matches = Object.keys(paths).filter((template) => {
    const names = template.split('/');
    return (
      names.length === segments.length &&
      names.every((name, index) => name.startsWith('{') || name === segments[index])
    );
  });
  // The one with the fewest placeholders is the one that GitHub takes.
  const [template = ''] = matches.toSorted((a, b) => a.split('{').length - b.split('{').length);
  const operation = paths[template]?.[method];
  return operation && { operation, name: `${method} ${template}` };
}

function resolveParameter(parameter: { readonly $ref: string } | Parameter): Parameter {
  if ('name' in parameter) return parameter;
  const known = describe().parameters[parameter.$ref.split('/').at(-1) ?? ''];
  if (!known) throw new Error(`no ${parameter.$ref}`);
  return known;
}

const ajv = new Ajv({ strict: false, validateFormats: false });
const bodies = new Map<string, ValidateFunction>();

function bodyFaults(name: string, { requestBody }: Operation, body: unknown): string[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return body === undefined ? [] : [`${name}: takes no body`];
  const own = withoutIdleNullable(schema);
  const check =
    bodies.get(name) ??
    ajv.compile({ ...own, components: { schemas: namedIn(JSON.stringify(own)) } });
  bodies.set(name, check);
  return check(body) ? [] : (check.errors ?? []).map(({ message }) => `${name}: ${message}`);
}

/** The schemas that one refers to, and those that they do: of 13 MB the few that Ajv needs. */
function namedIn(schema: string, found: Record<string, object> = {}): Record<string, object> {
  const names = schema.matchAll(/"#\/components\/schemas\/([^"]+)"/gu);
  for (const [, name = ''] of names) {
    const named = describe().schemas.get(name);
    if (named === undefined || Object.hasOwn(found, name)) continue;
    found[name] = JSON.parse(named);
    namedIn(named, found);
  }
  return found;
}

/** OpenAPI 3.0 gives `nullable` no meaning without a `type`; Ajv does not take it there. */
function withoutIdleNullable(schema: object): object {
  const clean: object = JSON.parse(JSON.stringify(schema), (_, part: unknown) => {
    if (!(part instanceof Object) || !('nullable' in part) || 'type' in part) return part;
    const { nullable: _nullable, ...rest } = part;
    return rest;
  });
  return clean;
}

const queries = new Map<string, string[]>();

/** What is wrong with a GraphQL query. */
export function queryFaults(query: string): string[] {
  const known = queries.get(query);
  if (known) return known;
  const faults = validate(describeQueries(), parse(query)).map(({ message }) => message);
  queries.set(query, faults);
  return faults;
}
