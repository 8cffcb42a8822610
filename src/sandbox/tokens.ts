import { randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';

export type Tokens = {
  /** Zero or fewer seconds make an expired token; without them it never expires. */
  readonly issue: (claims: JWTPayload, expiresInSeconds?: number) => Promise<string>;
  readonly verify: (token: string) => Promise<JWTPayload | 'expired' | 'invalid'>;
};

export function makeTokens(now: () => number): Tokens {
  const secret = randomBytes(32);
  return {
    issue: (claims, expiresInSeconds) => {
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
      if (expiresInSeconds !== undefined) {
        token.setExpirationTime(Math.floor(now() / 1000) + expiresInSeconds);
      }
      return token.sign(secret);
    },
    verify: async (token) => {
      try {
        const options = { algorithms: ['HS256'], currentDate: new Date(now()) };
        return (await jwtVerify(token, secret, options)).payload;
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
      }
    },
  };
}
