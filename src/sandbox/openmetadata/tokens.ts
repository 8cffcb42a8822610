import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ErrorAnswer } from './error-answer.ts';

type TokenSettings = {
  readonly now: () => number;
  /** Accepted as it is, as an admin's. */
  readonly staticToken: string | undefined;
};

export type UserTokens = {
  readonly issue: (user: string, expiresInSeconds?: number) => Promise<string>;
  /** The name of the user who bears the token; 401 where it is none of ours. */
  readonly verify: (authorization: string | undefined) => Promise<string>;
};

/** Makes and checks the bearer JWTs of one server. */
export function makeUserTokens(settings: TokenSettings): UserTokens {
  const secret = randomBytes(32);
  return {
    issue: (user, expiresInSeconds) => {
      const token = new SignJWT().setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setSubject(user);
      if (expiresInSeconds !== undefined) {
        token.setExpirationTime(Math.floor(settings.now() / 1000) + expiresInSeconds);
      }
      return token.sign(secret);
    },
    verify: async (authorization) => {
      const token = /^Bearer +(\S.*)$/u.exec(authorization ?? '')?.[1];
      if (token === undefined) throw unauthorized('Not Authorized! Token not present');
      if (token === settings.staticToken) return 'admin';
      return verifyOwn(token, secret, settings.now());
    },
  };
}

async function verifyOwn(token: string, secret: Uint8Array, now: number): Promise<string> {
  try {
    const options = { algorithms: ['HS256'], currentDate: new Date(now) };
    const { payload } = await jwtVerify(token, secret, options);
    return payload.sub ?? '';
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthorized('Expired token!');
    throw invalidToken();
  }
}

export function invalidToken(): ErrorAnswer {
  return unauthorized('Not Authorized! Invalid token.');
}

function unauthorized(message: string): ErrorAnswer {
  return new ErrorAnswer(401, message);
}
