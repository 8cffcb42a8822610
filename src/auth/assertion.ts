import type { Authenticate } from './issuer.ts';
import type { SigningKey } from './private-key.ts';

/**
 * Seconds by which an assertion is dated back, as by the clock of an issuer that is behind ours it
 * would come from the future. Keycloak takes one that was issued up to 15 s later or 60 s earlier:
 * that is shared out, so that a clock may be wrong either way.
 */
const datedBack = { nbf: 60, iat: 25 } as const;

/** Seconds from now. */
const lifetime = 60;

/**
 * Proves a client by assertions that it signs (RFC 7523 §2.2), by an algorithm that the issuer lists
 * and the clock of `now`.
 */
export function proveBySignature(key: SigningKey, now: () => number): Authenticate {
  return async ({ PrivateKeyJwt, modifyAssertion }) => {
    const loading = key.algorithms.map(async (alg) => [alg, await key.load(alg)] as const);
    // All of them: which one it is the issuer says later, and then there is no time to wait.
    const keys = new Map(await Promise.all(loading));
    return (server, ...request) => {
      const listed = server.token_endpoint_auth_signing_alg_values_supported ?? [];
      const alg = key.algorithms.find((name) => listed.includes(name)) ?? key.usual;
      const loaded = keys.get(alg);
      if (!loaded) throw new Error(`no key was loaded for ${alg}`);
      const modify = (header: object, claims: object): void => {
        Object.assign(header, { alg });
        Object.assign(claims, timesAt(Math.floor(now() / 1000)));
      };
      return PrivateKeyJwt(loaded, { [modifyAssertion]: modify })(server, ...request);
    };
  };
}

function timesAt(seconds: number) {
  return {
    nbf: seconds - datedBack.nbf,
    iat: seconds - datedBack.iat,
    exp: seconds + lifetime,
  };
}
