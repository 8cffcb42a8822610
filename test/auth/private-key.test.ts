import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPrivateKey } from '../../src/auth/source.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
const edwards = generateKeyPairSync('ed25519').privateKey;

test.each([
  ['PKCS #8', rsa.export({ type: 'pkcs8', format: 'pem' }), 'RSASSA-PKCS1-v1_5'],
  ['PKCS #1', rsa.export({ type: 'pkcs1', format: 'pem' }), 'RSASSA-PKCS1-v1_5'],
  ['P-256', ec('P-256').export({ type: 'pkcs8', format: 'pem' }), 'ECDSA'],
  ['P-384', ec('P-384').export({ type: 'sec1', format: 'pem' }), 'ECDSA'],
  ['P-521', ec('P-521').export({ type: 'pkcs8', format: 'pem' }), 'ECDSA'],
  ['Ed25519', edwards.export({ type: 'pkcs8', format: 'pem' }), 'Ed25519'],
])('a key in %s signs', async (_, pem, algorithm) => {
  const { load } = readPrivateKey({ value: `${String(pem)}\n`, origin: 'key.pem' });
  const read = await load();
  expect(read).toMatchObject({ key: { algorithm: { name: algorithm }, extractable: false } });
});

test('a JWK keeps its name, by which the issuer finds the public one', async () => {
  const jwk = { ...edwards.export({ format: 'jwk' }), kid: '2027-03' };
  const { load } = readPrivateKey({ value: JSON.stringify(jwk), origin: 'key.json' });
  expect(await load()).toMatchObject({ kid: '2027-03' });
});

function readRsa(alg: string) {
  const jwk = { ...rsa.export({ format: 'jwk' }), alg };
  return readPrivateKey({ value: JSON.stringify(jwk), origin: 'key.json' });
}

test('a JWK that names an algorithm signs by it alone, and not by another kind of key', () => {
  expect(readRsa('PS384')).toMatchObject({ algorithm: 'PS384' });
  expect(() => readRsa('ES256')).toThrow(
    'The private key in key.json names the algorithm "ES256", which doesn\'t fit the key.',
  );
});

const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
const agreement = generateKeyPairSync('x25519').privateKey;

test.each([
  ['what is no key', 's3cret'],
  ['half a key', '-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----'],
  ['a broken JWK', '{"kty": "s3cret'],
  ['a JWK that is no key', '{"kty": "s3cret"}'],
  ['an encrypted key', String(rsa.export(encrypted))],
  ['a curve that JOSE does not sign with', ec('secp256k1').export({ type: 'sec1', format: 'pem' })],
  ['a key that signs nothing', agreement.export({ type: 'pkcs8', format: 'pem' })],
])('%s is refused by a message that does not show it', (_, value) => {
  const read = (): unknown => readPrivateKey({ value: String(value), origin: 'key.pem' });
  expect(read).toThrow(
    expect.objectContaining({
      code: 'invalid-private-key',
      message: expect.stringMatching(/^The private key in key\.pem /u),
      cause: undefined,
    }),
  );
  expect(read).not.toThrow('s3cret');
});
