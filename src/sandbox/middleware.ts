import type { Context, MiddlewareHandler } from 'hono';
import type { TokenPermission, Principal, Tokens } from './tokens.ts';

export type Environment = { Variables: { principal: Principal } };

/** One request on its way through the catalog, with the one who sent it. */
export type Call = Context<Environment>;

/** What stands between a request and its operation. */
export type Middleware = MiddlewareHandler<Environment>;

const actions: { readonly [permission in TokenPermission]: string } = {
  list: 'list data contracts',
  view: 'view data contracts',
  update: 'update data contracts',
};

/** Lets in whoever bears a token of this catalog (interface §5.1, §5.2). */
export function authenticate(tokens: Tokens): Middleware {
  return async (call, next) => {
    const token = /^Bearer +(\S+)$/iu.exec(call.req.header('authorization') ?? '')?.[1];
    const principal = token === undefined ? undefined : await tokens.verify(token);
    if (!principal) throw unauthorized(token === undefined);
    call.set('principal', principal);
    await next();
  };
}

/** The challenge tells no error where no token was sent (RFC 6750 §3.1). */
function unauthorized(missing: boolean): FailedRequest {
  const [message, challenge] = missing
    ? ['A bearer token is missing: send `Authorization: Bearer <token>`.', 'Bearer']
    : ['The bearer token is invalid or has expired.', 'Bearer error="invalid_token"'];
  return new FailedRequest(401, message, { 'WWW-Authenticate': challenge });
}

/** Lets through whoever may do a thing (interface §5.3). */
export function permit(permission: TokenPermission): Middleware {
  return async (call, next) => {
    const { subject, permissions } = call.get('principal');
    if (!permissions.includes(permission)) {
      const message = `${subject} lacks the permission to ${actions[permission]}.`;
      throw new FailedRequest(403, message);
    }
    await next();
  };
}

export function refuseMethod(allowed: string): Middleware {
  return ({ req }) => {
    throw new FailedRequest(405, `${req.method} is not supported here.`, { Allow: allowed });
  };
}

/** Error types by HTTP status: the first four are the interface's (§7), the others HTTP's own. */
const errorTypes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  500: 'INTERNAL_ERROR',
} as const;

type FailureStatus = keyof typeof errorTypes;

/** A request that cannot be served: thrown by any part, told to the client as JSON. */
export class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
  readonly status: FailureStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: FailureStatus,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** The interface leaves the shape open (§7): this is the one that real servers send. */
export function failureBody({ status, message }: FailedRequest) {
  return { code: status, errorType: errorTypes[status], message };
}
