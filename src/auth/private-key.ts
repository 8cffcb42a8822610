import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PrivateKey } from 'openid-client';
import { ConfigError } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Secret } from './choose.ts';

type Algorithm = Parameters<KeyObject['toCryptoKey']>[0];

/** The key with which a client signs, from PEM or from a JWK, whose `kid` is kept. */
export function readPrivateKey(secret: Secret): PrivateKey {
  const text = secret.value.trim();
  const jwk = text.startsWith('{') ? parseJwk(text) : undefined;
  const key = readKey(secret, jwk ?? text);
  const algorithm = algorithmOf(key);
  if (!algorithm) throw unusable(secret, 'is of a kind that signs no assertions');
  const kid = jwk?.['kid'];
  return {
    key: key.toCryptoKey(algorithm, false, ['sign']),
    ...(typeof kid === 'string' && { kid }),
  };
}

/** The error of node:crypto is not passed on: it may hold parts of what it could not read. */
function readKey(secret: Secret, material: string | JsonObject): KeyObject {
  try {
    return typeof material === 'string'
      ? createPrivateKey(material)
      : createPrivateKey({ key: material, format: 'jwk' });
  } catch {
    throw unusable(secret, 'cannot be read');
  }
}

/** RS256, ES256, ES384, ES512 or EdDSA (RFC 7518 §3.1, RFC 8037 §3.1): each kind of key has one. */
function algorithmOf({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): Algorithm | undefined {
  switch (asymmetricKeyType) {
    case 'rsa':
      return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    case 'ec': {
      const namedCurve = curves[asymmetricKeyDetails?.namedCurve ?? ''];
      return namedCurve === undefined ? undefined : { name: 'ECDSA', namedCurve };
    }
    case 'ed25519':
      return { name: 'Ed25519' };
    default:
      return undefined;
  }
}

/** From OpenSSL's names to those of JOSE. */
const curves: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

function parseJwk(text: string): JsonObject | undefined {
  try {
    const jwk: JsonValue = JSON.parse(text);
    return isObject(jwk) ? jwk : undefined;
  } catch {
    return undefined;
  }
}

function unusable({ origin }: Secret, complaint: string): ConfigError {
  return new ConfigError('invalid-private-key', `The private key in ${origin} ${complaint}.`, {
    hint: 'Give an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key as PEM or JWK.',
  });
}
