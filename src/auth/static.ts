import { parseBearerToken } from './bearer.ts';
import type { TokenSource } from './token.ts';

/** A token that stays the same for the whole run: a bot's JWT, or one made by an earlier step. */
export function staticToken(token: string): TokenSource {
  const bearer = parseBearerToken(token);
  return async () => bearer;
}
