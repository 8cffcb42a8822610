import { STATUS_CODES } from 'node:http';
import { ErrorAnswer, type Reply } from '../http.ts';

export function unhandled(reason: string): ErrorAnswer {
  return new ErrorAnswer(
    500,
    `An exception with message [${reason}] was thrown while processing request.`,
    { errorType: 'UNHANDLED_SERVER_EXCEPTION' },
  );
}

export function notFound(type: string, key: string): ErrorAnswer {
  return new ErrorAnswer(404, `${type} instance for ${key} not found`);
}

export function httpError(status: 404 | 405 | 406 | 415): ErrorAnswer {
  return new ErrorAnswer(status, `HTTP ${status} ${STATUS_CODES[status]}`);
}

export function explainError(error: unknown): Reply {
  const reason = error instanceof Error ? error.message : String(error);
  const { status, message, errorType } = error instanceof ErrorAnswer ? error : unhandled(reason);
  // The one answer in plain text: to a body that is not JSON.
  if (errorType === 'plain') return { status, text: message };
  // Errors of the catalog carry this challenge, whatever they are about; those of HTTP do not.
  const challenged = [401, 403, 404, 409, 412].includes(status) && !message.startsWith('HTTP ');
  return {
    status,
    document: { code: status, ...(errorType !== undefined && { errorType }), message },
    ...(challenged && { headers: { 'WWW-Authenticate': 'om-auth' } }),
  };
}
