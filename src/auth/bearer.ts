import { ConfigError } from '../core/errors.ts';

/** RFC 6750 §2.1, `b64token`: what may stand behind `Authorization: Bearer`. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/u;

/**
 * A token without the line end that files and secrets stores leave behind it. A text that is no
 * token is refused here, by a message that does not show it: `fetch` would quote it in its own.
 */
export function parseBearerToken(text: string): string {
  const token = text.trim();
  if (token === '') throw refusal('is empty', 'Set CONTRACT_SYNC_TOKEN, or give --token-file.');
  if (/\s/u.test(token)) {
    throw refusal(
      'contains white space',
      'Give the token alone, on one line and without the word "Bearer".',
    );
  }
  if (!bearerToken.test(token)) {
    throw refusal(
      'contains characters that no bearer token has',
      'Look for quotes or invisible characters that were copied along with it.',
    );
  }
  return token;
}

function refusal(complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-token', `The access token ${complaint}.`, { hint });
}
