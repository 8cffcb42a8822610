import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../core/json.ts';
import { httpError } from './error-answer.ts';
import type { Caller } from './permissions.ts';

/** One request, as an endpoint sees it. */
export type ApiCall = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly mediaType: string;
  readonly caller: Caller;
  /** The address that links begin with. */
  readonly base: string;
};

export type Reply = {
  readonly status?: number;
  readonly document?: JsonObject;
  /** A body in plain text, in the place of a document. */
  readonly text?: string;
  /** A strong tag, without quotes. */
  readonly tag?: string;
  /** What has become of what was asked for. */
  readonly change?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Endpoint = {
  readonly run: (call: ApiCall) => Reply;
  /** Media types of a body, by default JSON alone. */
  readonly takes?: readonly string[];
  /** Needs no token. */
  readonly open?: true;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The endpoints of one address; `{name}` stands for any text but a slash. */
export type Route = {
  readonly path: string;
  readonly endpoints: { readonly [method in Method]?: Endpoint };
};

type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

/** Of several routes the first counts: those without parameters stand before the others. */
export function findRoute(routes: readonly Route[], path: string): Found {
  const steps = path.replace(/\/$/u, '').split('/');
  for (const route of routes) {
    const params = matchRoute(`/api/v1${route.path}`.split('/'), steps);
    if (params) return { route, params };
  }
  throw httpError(404);
}

function matchRoute(
  pattern: readonly string[],
  steps: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== steps.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const [, name] = /^\{(\w+)\}$/u.exec(pattern[index] ?? '') ?? [];
    if (name !== undefined && step !== '') params[name] = decode(step);
    else if (step !== pattern[index]) return undefined;
  }
  return params;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    throw httpError(404);
  }
}

export function endpointOf({ endpoints }: Route, method: string): Endpoint | undefined {
  const name = method === 'HEAD' ? 'GET' : method;
  return Object.entries(endpoints).find(([known]) => known === name)?.[1];
}

export function allowed({ endpoints }: Route): string {
  return [...Object.keys(endpoints), 'OPTIONS'].join(',');
}
