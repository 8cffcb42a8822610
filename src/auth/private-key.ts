import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PrivateKey } from 'openid-client';
import { ConfigError } from '../core/diagnostic.ts';
import { isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import type { Secret } from './settings.ts';
import type { Authenticate } from './issuer.ts';

// Seconds by which an assertion is dated back for issuers whose clock is behind. Keycloak accepts
// an `iat` from 60 s ago to 15 s ahead: this leaves room either way.
const datedBack = { nbf: 60, iat: 25 } as const;

// Seconds from now.
const lifetime = 60;

export function proveBySignature(secret: Secret, now: () => number): Authenticate {
  const key = readPrivateKey(secret);
  return async ({ PrivateKeyJwt, modifyAssertion }) => {
    const loading = key.algorithms.map(async (alg) => [alg, await key.load(alg)] as const);
    // All of them: the issuer names the algorithm later, when there is no time to wait.
    const keys = new Map(await Promise.all(loading));
    return (server, ...request) => {
      const listed = server.token_endpoint_auth_signing_alg_values_supported ?? [];
      const alg = key.algorithms.find((name) => listed.includes(name)) ?? key.usual;
      const loaded = keys.get(alg);
      if (!loaded) throw new Error(`no key was loaded for ${alg}`);
      const modify = (header: object, claims: object): void => {
        Object.assign(header, { alg });
        const seconds = Math.floor(now() / 1000);
        const [nbf, iat] = [seconds - datedBack.nbf, seconds - datedBack.iat];
        Object.assign(claims, { nbf, iat, exp: seconds + lifetime });
      };
      return PrivateKeyJwt(loaded, { [modifyAssertion]: modify })(server, ...request);
    };
  };
}

/** From PEM or JWK. Bad keys are refused at once; jose, which loads slowly, waits for the first use. */
export function readPrivateKey(secret: Secret) {
  const text = secret.value.trim();
  const parsed = text.startsWith('{') ? parseJson(text) : undefined;
  const jwk = isObject(parsed) ? parsed : undefined;
  const key = readKey(secret, jwk ?? text);
  const { kid } = jwk ?? {};
  return {
    ...algorithmsOf(key, jwk, secret),
    load: async (algorithm: string): Promise<PrivateKey> => {
      const { importPKCS8 } = await import('jose/key/import');
      const pem = String(key.export({ type: 'pkcs8', format: 'pem' }));
      return { key: await importPKCS8(pem, algorithm), ...(typeof kid === 'string' && { kid }) };
    },
  };
}

// A JWK that names an algorithm is for that one alone (RFC 7517 §4.4).
function algorithmsOf(key: KeyObject, jwk: JsonObject | undefined, secret: Secret): Algorithms {
  const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  const able = algorithmsByKind[kind];
  if (able === undefined) throw unusable(secret, "is of a type that can't sign assertions");
  const alg = jwk?.['alg'];
  if (typeof alg !== 'string') return able;
  if (able.algorithms.includes(alg)) return { algorithms: [alg], usual: alg };
  throw unusable(secret, `names the algorithm ${quote(alg)}, which doesn't fit the key`);
}

// node:crypto reads PKCS #1 and SEC 1 too. Its error is not passed on: it may quote the key.
function readKey(secret: Secret, material: string | JsonObject): KeyObject {
  try {
    return typeof material === 'string'
      ? createPrivateKey(material)
      : createPrivateKey({ key: material, format: 'jwk' });
  } catch {
    throw unusable(secret, "can't be read");
  }
}

/** The preferred one first, and the one for an issuer that lists none of them. */
type Algorithms = { readonly algorithms: readonly string[]; readonly usual: string };

// OpenSSL's names (RFC 7518 §3.1). Issuers that do not know RFC 9864 call Ed25519 EdDSA (RFC 8037
// §3.1).
const algorithmsByKind: Readonly<Record<string, Algorithms>> = {
  rsa: { algorithms: ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'], usual: 'RS256' },
  prime256v1: { algorithms: ['ES256'], usual: 'ES256' },
  secp384r1: { algorithms: ['ES384'], usual: 'ES384' },
  secp521r1: { algorithms: ['ES512'], usual: 'ES512' },
  ed25519: { algorithms: ['Ed25519', 'EdDSA'], usual: 'EdDSA' },
};

function unusable({ origin }: Secret, complaint: string): ConfigError {
  return new ConfigError('invalid-private-key', `The private key in ${origin} ${complaint}.`, {
    hint: 'Use an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key, as PEM or JWK.',
  });
}
