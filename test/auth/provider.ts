import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, jwtVerify } from 'jose';
import { errors, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { listen } from '../support/listen.ts';
import { gitHubKeys } from './github.ts';

/** What is asked of the provider before it is; true if this has answered. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

export type TestProvider = {
  readonly issuer: string;
  /** `POST /token`, in the order of arrival. */
  readonly requests: readonly string[];
  /** Does what a person does who is shown a code. */
  readonly approve: (userCode: string) => Promise<void>;
  readonly deny: (userCode: string) => Promise<void>;
};

export type ProviderOptions = {
  readonly intercept?: Intercept;
  /** Of access tokens. */
  readonly lifetimeSeconds?: number;
  /** Between two questions whether a person has finished a login. */
  readonly intervalSeconds?: number;
  /** Of the client `signer`, and the algorithms that the issuer lists for assertions. */
  readonly signer?: { readonly publicKey: JWK; readonly algorithms: readonly SigningAlgorithm[] };
  /** How many seconds before and after its own time an assertion may have been issued. */
  readonly bears?: { readonly earlier: number; readonly later: number };
};

type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'Ed25519' | 'EdDSA';

/** Whom the provider's tokens are for. */
export const audience = 'https://catalog.test/api';

/** Of the clients `basic`, `post` and `exchange`; with characters that forms and headers encode. */
export const clientSecret = 'MARKED+s3cr3t/with%20all:of"them';

const signing = await generateKeyPair('RS256', { extractable: true });

/** Of the client `key`. */
export const clientKeys = await generateKeyPair('ES256', { extractable: true });

/** A real OpenID provider on a free port; gone after the test. */
export async function serveProvider(options: ProviderOptions = {}): Promise<TestProvider> {
  const requests: string[] = [];
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const provider = new Provider(issuer, await configure(options));
  registerTokenExchange(provider, issuer);
  const { intervalSeconds: interval } = options;
  if (interval !== undefined) {
    provider.use(async (context, next) => {
      await next();
      if (context.path === '/device/auth') Object.assign(context.body as object, { interval });
    });
  }
  const listener = provider.callback();
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!options.intercept?.(request, response)) void listener(request, response);
  });
  return {
    issuer,
    requests,
    approve: (userCode) => approve(provider, userCode),
    deny: async (userCode) => {
      const code = await findCode(provider, userCode);
      Object.assign(code, { error: 'access_denied', errorDescription: 'the person said no' });
      await code.save();
    },
  };
}

async function configure(options: ProviderOptions): Promise<Configuration> {
  const { lifetimeSeconds = 3600, signer, bears } = options;
  const machine = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
  return {
    clients: [
      { client_id: 'basic', client_secret: clientSecret, scope: 'contracts', ...machine },
      {
        client_id: 'post',
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        ...machine,
      },
      {
        client_id: 'key',
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [await exportJWK(clientKeys.publicKey)] },
        ...machine,
      },
      ...(signer
        ? [
            {
              client_id: 'signer',
              scope: 'contracts',
              token_endpoint_auth_method: 'private_key_jwt' as const,
              jwks: { keys: [signer.publicKey] },
              ...machine,
            },
          ]
        : []),
      {
        client_id: 'person',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: 'exchange',
        token_endpoint_auth_method: 'none',
        grant_types: [tokenExchange],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [await exportJWK(signing.privateKey)] },
    cookies: { keys: ['any'] },
    ...(signer && { enabledJWA: { clientAuthSigningAlgValues: [...signer.algorithms] } }),
    ...(bears && {
      clockTolerance: 3600,
      assertJwtClientAuthClaimsAndHeader: async (_context, { iat = 0, nbf = 0 }) => {
        const now = Math.floor(Date.now() / 1000);
        const isEarly = Math.max(Number(iat), Number(nbf)) > now + bears.later;
        if (isEarly || now > Number(iat) + bears.earlier) {
          throw new errors.CustomOIDCProviderError('invalid_client', 'Token is not active');
        }
      },
    }),
    scopes: ['openid', 'offline_access', 'contracts'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget('no such resource');
          return {
            scope: 'contracts',
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: lifetimeSeconds,
            jwt: { sign: { alg: 'RS256' } },
          };
        },
      },
    },
    ttl: { ClientCredentials: 3600, DeviceCode: 60, Grant: 3600, RefreshToken: 3600 },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  };
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** RFC 8693: trades GitHub's ID token, whose signature and audience it checks, for one of its own. */
function registerTokenExchange(provider: Provider, issuer: string): void {
  const exchange = async (context: KoaContextWithOIDC): Promise<void> => {
    const { client, params = {} } = context.oidc;
    await jwtVerify(String(params['subject_token']), gitHubKeys.publicKey, {
      audience: issuer,
    }).catch(() => {
      throw new errors.InvalidGrant('the subject token is not good');
    });
    if (!client) throw new errors.InvalidClient('no client');
    const token = new provider.ClientCredentials({ client, scope: 'contracts' });
    token.resourceServer = new provider.ResourceServer(audience, {
      scope: 'contracts',
      audience,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg: 'RS256' } },
    });
    context.body = {
      access_token: await token.save(),
      token_type: 'Bearer',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      expires_in: token.expiration,
    };
  };
  provider.registerGrantType(tokenExchange, exchange, [
    'subject_token',
    'subject_token_type',
    'scope',
    'audience',
  ]);
}

async function findCode(provider: Provider, userCode: string) {
  const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll('-', ''));
  if (!code) throw new Error(`The provider knows no code ${userCode}`);
  return code;
}

async function approve(provider: Provider, userCode: string): Promise<void> {
  const code = await findCode(provider, userCode);
  const { clientId = '' } = code;
  const grant = new provider.Grant({ accountId: 'ada', clientId });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(audience, 'contracts');
  Object.assign(code, {
    accountId: 'ada',
    grantId: await grant.save(),
    scope: 'openid offline_access contracts',
    resource: audience,
    authTime: Math.floor(Date.now() / 1000),
  });
  await code.save();
}
