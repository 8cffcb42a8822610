import { randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';

export type Tokens = ReturnType<typeof makeTokens>;

export function makeTokens(now: () => number) {
  const secret = randomBytes(32);
  return {
    /** Zero or fewer seconds make an expired token; without them it never expires. */
    issue: (claims: JWTPayload, expiresInSeconds?: number): Promise<string> => {
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
      if (expiresInSeconds !== undefined)
        token.setExpirationTime(Math.floor(now() / 1000) + expiresInSeconds);
      return token.sign(secret);
    },
    verify: async (token: string): Promise<JWTPayload | 'expired' | 'invalid'> => {
      try {
        const options = { algorithms: ['HS256'], currentDate: new Date(now()) };
        return (await jwtVerify(token, secret, options)).payload;
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
      }
    },
  };
}
