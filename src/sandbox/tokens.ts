import { randomBytes } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';

export type Tokens = ReturnType<typeof makeTokens>;

export function makeTokens(now: () => number) {
  const secret = randomBytes(32);
  const issued = new Map<string, JWTPayload>();
  const seconds = () => Math.floor(now() / 1000);
  return {
    /** Zero or fewer seconds make an expired token; without them it never expires. */
    issue: async (claims: JWTPayload, expiresInSeconds?: number): Promise<string> => {
      const ends = expiresInSeconds === undefined ? {} : { exp: seconds() + expiresInSeconds };
      const payload: JWTPayload = { ...claims, ...ends };
      const header = { alg: 'HS256', typ: 'JWT' };
      const token = await new SignJWT(payload).setProtectedHeader(header).sign(secret);
      issued.set(token, payload);
      return token;
    },
    verify: (token: string): JWTPayload | 'expired' | 'invalid' => {
      const payload = issued.get(token);
      if (!payload) return 'invalid';
      return (payload.exp ?? Infinity) <= seconds() ? 'expired' : payload;
    },
  };
}
