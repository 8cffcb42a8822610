/** A request that the server answers with an error: thrown by any step. */
export class ErrorAnswer extends Error {
  override readonly name = 'ErrorAnswer';
  readonly status: number;
  readonly errorType: string | undefined;

  constructor(status: number, message: string, errorType?: string) {
    super(message);
    this.status = status;
    this.errorType = errorType;
  }
}

export function badRequest(message: string): ErrorAnswer {
  return new ErrorAnswer(400, message);
}

/** The one answer that is no JSON: to a body that is none either. */
export class PlainError extends ErrorAnswer {
  constructor(message: string) {
    super(400, message);
  }
}

/** What a Java exception that nobody expected becomes. */
export function unhandled(reason: string): ErrorAnswer {
  return new ErrorAnswer(
    500,
    `An exception with message [${reason}] was thrown while processing request.`,
    'UNHANDLED_SERVER_EXCEPTION',
  );
}

export function notFound(type: string, key: string): ErrorAnswer {
  return new ErrorAnswer(404, `${type} instance for ${key} not found`);
}

/** Answers of the HTTP layer itself, before any operation. */
const reasons = {
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
} as const;

export function httpError(status: keyof typeof reasons): ErrorAnswer {
  return new ErrorAnswer(status, `HTTP ${status} ${reasons[status]}`);
}

/** Errors of the catalog carry this challenge, whatever they are about; those of HTTP do not. */
export function isChallenged({ status, message }: ErrorAnswer): boolean {
  return [401, 403, 404, 409, 412].includes(status) && !message.startsWith('HTTP ');
}
