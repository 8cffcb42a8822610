import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PrivateKey } from 'openid-client';
import { ConfigError } from '../core/errors.ts';
import { isObject, type JsonObject, parseJson } from '../core/json.ts';
import type { Secret } from './choose.ts';

/**
 * The key with which a client signs, from PEM or from a JWK, whose `kid` is kept. What cannot be
 * used is refused at once; jose, which is slow to load, waits until the key is called for.
 */
export function readPrivateKey(secret: Secret): () => Promise<PrivateKey> {
  const text = secret.value.trim();
  const jwk = text.startsWith('{') ? parseJson(text) : undefined;
  const key = readKey(secret, isObject(jwk) ? jwk : text);
  const algorithm = algorithms[key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? ''];
  if (algorithm === undefined) throw unusable(secret, 'is of a kind that signs no assertions');
  const kid = isObject(jwk) ? jwk['kid'] : undefined;
  return async () => {
    const { importPKCS8 } = await import('jose/key/import');
    const pem = String(key.export({ type: 'pkcs8', format: 'pem' }));
    return { key: await importPKCS8(pem, algorithm), ...(typeof kid === 'string' && { kid }) };
  };
}

/**
 * By node:crypto, which reads PKCS #1 and SEC 1 too. Its error is not passed on: it may hold parts of
 * what it could not read.
 */
function readKey(secret: Secret, material: string | JsonObject): KeyObject {
  try {
    return typeof material === 'string'
      ? createPrivateKey(material)
      : createPrivateKey({ key: material, format: 'jwk' });
  } catch {
    throw unusable(secret, 'cannot be read');
  }
}

/** The one algorithm for each kind of key (RFC 7518 §3.1, RFC 8037 §3.1), by OpenSSL's names. */
const algorithms: Readonly<Record<string, string>> = {
  rsa: 'RS256',
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
  ed25519: 'EdDSA',
};

function unusable({ origin }: Secret, complaint: string): ConfigError {
  return new ConfigError('invalid-private-key', `The private key in ${origin} ${complaint}.`, {
    hint: 'Give an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key as PEM or JWK.',
  });
}
