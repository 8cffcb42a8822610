import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import type { AuthEffects } from '../../src/auth/token.ts';
import { createTokenSource } from '../../src/auth/source.ts';
import { failureOf } from '../support/server.ts';
import { type ProviderOptions, serveProvider } from './provider.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const edwards = generateKeyPairSync('ed25519');

type Algorithms = NonNullable<ProviderOptions['signer']>['algorithms'];

type Signing = {
  readonly keys: typeof rsa;
  readonly algorithms: Algorithms;
  /** Of the JWK. */
  readonly alg?: string;
  readonly options?: ProviderOptions;
  readonly effects?: Partial<AuthEffects>;
};

/** A client that signs for a token; also the assertions that it has signed. */
async function sign({ keys, algorithms, alg, options, effects }: Signing) {
  const publicKey = keys.publicKey.export({ format: 'jwk' });
  const { issuer } = await serveProvider({ ...options, signer: { publicKey, algorithms } });
  const jwk = { ...keys.privateKey.export({ format: 'jwk' }), ...(alg !== undefined && { alg }) };
  const assertions: string[] = [];
  const token = createTokenSource(
    {
      issuer,
      clientId: 'signer',
      privateKey: { value: JSON.stringify(jwk), origin: 'key.json' },
    },
    {
      ...effects,
      fetch: async (input, init) => {
        const sent = new URLSearchParams(init.body ?? '').get('client_assertion');
        if (sent) assertions.push(sent);
        return fetch(input, init);
      },
    },
  );
  return { token, assertions };
}

test.for<Signing & { readonly signedBy: string }>([
  { keys: edwards, algorithms: ['Ed25519', 'EdDSA'], signedBy: 'EdDSA' },
  { keys: rsa, algorithms: ['PS256', 'RS256'], signedBy: 'RS256' },
  { keys: rsa, algorithms: ['PS256'], alg: 'PS256', signedBy: 'PS256' },
])(
  'a $keys.privateKey.asymmetricKeyType key whose JWK names $alg signs by $signedBy',
  async ({ signedBy, ...signing }) => {
    const { token, assertions } = await sign(signing);
    expect(await token()).toMatch(/^ey/u);
    expect(assertions.map((assertion) => decodeProtectedHeader(assertion).alg)).toEqual([signedBy]);
  },
);

/** As Keycloak: an assertion is good from 15 s before its time of issue to 60 s after it. */
const keycloak: ProviderOptions = { bears: { earlier: 60, later: 15 } };

describe('an issuer that bears 60 s and 15 s of difference, and sends no Date', () => {
  const options: ProviderOptions = {
    ...keycloak,
    intercept: (_request, response) => {
      response.sendDate = false;
      return false;
    },
  };
  const signWithClock = (seconds: number) =>
    sign({
      keys: rsa,
      algorithms: ['RS256'],
      options,
      effects: { now: () => Date.now() + seconds * 1000 },
    });

  test.each([-30, -15, 0, 15, 35])('takes a signature by a clock %i s off', async (seconds) => {
    const { token, assertions } = await signWithClock(seconds);
    expect(await token()).toMatch(/^ey/u);
    const { iat = 0, nbf = 0, exp = 0 } = decodeJwt(assertions[0] ?? '');
    expect([exp - iat, exp - nbf]).toEqual([85, 120]);
  });

  test.each([-300, 300])('refuses it by a clock %i s off, which is named', async (seconds) => {
    const { token } = await signWithClock(seconds);
    const hint = expect.stringMatching(
      / Check this machine's clock too, which says 20[-\d]+T[\d:]+Z\.$/u,
    );
    expect(await failureOf(token())).toMatchObject({
      code: 'client-refused',
      message: expect.stringContaining('(invalid_client: Token is not active)'),
      hint,
    });
  });

  test('refuses a scope: the clock has nothing to do with it', async () => {
    const publicKey = rsa.publicKey.export({ format: 'jwk' });
    const signer = { publicKey, algorithms: ['RS256'] } as const;
    const { issuer } = await serveProvider({ ...options, signer });
    const value = String(rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const privateKey = { value, origin: 'key.pem' };
    const settings = { issuer, clientId: 'signer', privateKey, scope: 'openid' };
    expect(await failureOf(createTokenSource(settings)())).toMatchObject({
      code: 'client-refused',
      hint: 'Check auth.scope, auth.resource and auth.audience, and which of them the client is allowed.',
    });
  });
});
