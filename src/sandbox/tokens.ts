import { jwtVerify, SignJWT } from 'jose';

/** The interface names list and update (§5); reading versions needs `view`. */
export const permissions = ['list', 'view', 'update'] as const;
export type TokenPermission = (typeof permissions)[number];

/** Who sends a request, and what that one may do. */
export type Principal = {
  readonly subject: string;
  readonly permissions: readonly TokenPermission[];
};

export type TokenRequest = Principal & {
  /** Zero or less makes an expired token; without it a token never expires. */
  readonly expiresInSeconds?: number;
};

export type Tokens = {
  readonly issue: (request: TokenRequest) => Promise<string>;
  /** Undefined where the token is none of ours, or has expired. */
  readonly verify: (token: string) => Promise<Principal | undefined>;
};

type TokenSettings = {
  readonly secret: Uint8Array;
  readonly now: () => number;
  /** Accepted as it is, with every permission. */
  readonly staticToken: string | undefined;
};

/** Makes and checks the bearer JWTs of one catalog (interface §5.1), signed with its secret. */
export function makeTokens(settings: TokenSettings): Tokens {
  const { secret, now, staticToken } = settings;
  return {
    issue: (request) => signToken(request, secret, now()),
    verify: async (token) => {
      if (token === staticToken) return { subject: 'static-token', permissions };
      return verifyToken(token, secret, now());
    },
  };
}

function signToken(request: TokenRequest, secret: Uint8Array, now: number): Promise<string> {
  const { subject, permissions, expiresInSeconds } = request;
  const token = new SignJWT({ permissions })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject);
  if (expiresInSeconds !== undefined) {
    token.setExpirationTime(Math.floor(now / 1000) + expiresInSeconds);
  }
  return token.sign(secret);
}

async function verifyToken(
  token: string,
  secret: Uint8Array,
  now: number,
): Promise<Principal | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      currentDate: new Date(now),
    });
    const claimed = payload['permissions'];
    if (payload.sub === undefined || !Array.isArray(claimed)) return undefined;
    return { subject: payload.sub, permissions: permissions.filter((p) => claimed.includes(p)) };
  } catch {
    return undefined;
  }
}
