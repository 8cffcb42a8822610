import type { JsonValue } from '../../../src/core/json.ts';
import type { open } from './adapter.ts';
import { type Answered, send, type Sent } from './http.ts';
import { type Bindings, compare, type Difference, fill } from './placeholders.ts';

/** A recorded story; its format is described in the README beside the traces. */
export type Trace = {
  readonly name: string;
  readonly about: string;
  readonly setup?: {
    readonly tables?: Readonly<Record<string, { readonly [m: string]: JsonValue }>>;
  };
  readonly steps: readonly Step[];
  readonly order?: readonly string[];
};

type Step = {
  readonly as?: string;
  readonly request?: Sent;
  readonly response?: Expected;
  readonly wait?: string;
};

type Expected = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  readonly bodyHas?: JsonValue;
  readonly anyBody?: boolean;
};

type Server = Awaited<ReturnType<typeof open>>;

/** The first step that goes another way than the trace, and how; nothing if none does. */
export async function replay(trace: Trace, server: Server): Promise<readonly Difference[]> {
  const bound = await bindWorld(server);
  for (const [key, table] of Object.entries(trace.setup?.tables ?? {})) {
    const body = { databaseSchema: 'wh.shop.sales', ...table };
    const made = await ask(server, 'admin', { method: 'POST', path: '/v1/tables', body });
    bound.set(`${key}.id`, made.body.id);
  }
  for (const [index, step] of trace.steps.entries()) {
    const differences = await play(step, server, bound);
    if (differences.length > 0) return [`step ${index + 1}`, ...differences];
  }
  return (trace.order ?? []).filter((rule) => !isKept(rule, bound));
}

async function bindWorld(server: Server): Promise<Bindings> {
  const bound: Bindings = new Map();
  const people = ['users/admin', 'users/ada', 'users/mira', 'users/zoe', 'teams/dataplatform'];
  for (const person of people) {
    const [kind, name] = person.split('/');
    const path = `/v1/${kind}/name/${name}`;
    const found = await ask(server, 'admin', { method: 'GET', path });
    bound.set(`${name}.id`, found.body.id);
  }
  return bound;
}

async function ask(server: Server, actor: string, sent: Sent): Promise<Answered> {
  return send(server.base, sent, await server.token(actor));
}

async function play(step: Step, server: Server, bound: Bindings): Promise<readonly Difference[]> {
  const { as: actor = 'admin', request, response, wait } = step;
  if (wait !== undefined) server.wait(wait);
  if (!request || !response) return [];
  const sent = fill(request, bound) as unknown as Sent;
  const answer = await ask(server, actor, sent);
  if (answer.status !== response.status) {
    return [`status: expected ${response.status}, not ${answer.status} ${answer.text}`];
  }
  return [...compareHeaders(response, answer, bound), ...compareBody(response, answer, bound)];
}

/** Headers that must not be there unless the trace has them. */
const telling = ['etag', 'x-openmetadata-change', 'content-encoding'];

function compareHeaders(
  { headers = {} }: Expected,
  answer: Answered,
  bound: Bindings,
): readonly Difference[] {
  const surplus = telling.filter((name) => answer.headers[name] !== undefined && !headers[name]);
  return [
    ...surplus.map((name) => `header ${name} is not in the trace`),
    ...Object.entries(headers).flatMap(([name, expected]) =>
      compare(plain(name, expected), plain(name, String(answer.headers[name])), bound, {
        at: `header ${name}`,
      }),
    ),
  ];
}

/** Of a media type the parameters do not count, of a list of methods the order. */
function plain(name: string, value: string): string {
  if (name === 'content-type') return value.split(';')[0]?.trim().toLowerCase() ?? '';
  return name === 'allow' ? value.split(/, ?/u).toSorted().join() : value;
}

function compareBody(
  { body, bodyHas, anyBody = false }: Expected,
  answer: Answered,
  bound: Bindings,
): readonly Difference[] {
  if (body !== undefined) return compare(body, answer.body, bound);
  if (bodyHas !== undefined)
    return compare(bodyHas, answer.body, bound, { mode: 'listed members' });
  return anyBody || answer.text === '' ? [] : [`a body is not in the trace: ${answer.text}`];
}

/** `$t1 < $t2`: what has never been seen is in any order. */
function isKept(rule: string, bound: Bindings): boolean {
  const [, first = '', sign, second = ''] = /^\$(t\d+) (<=|<) \$(t\d+)$/u.exec(rule) ?? [];
  const [a, b] = [bound.get(first), bound.get(second)];
  if (a === undefined || b === undefined) return true;
  return sign === '<' ? a < b : a <= b;
}
