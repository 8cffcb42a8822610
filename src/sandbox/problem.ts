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

export type ProblemStatus = keyof typeof errorTypes;

/** A request that cannot be served: thrown by any part, told to the client as JSON. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ProblemStatus,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** The interface leaves the shape open (§7): this is the one that real servers send. */
export function problemBody({ status, message }: Problem) {
  return { code: status, errorType: errorTypes[status], message };
}
