import type * as OpenIdClient from 'openid-client';
import type {
  ClientAuth,
  Configuration,
  DeviceAuthorizationResponse,
  TokenEndpointResponse,
} from 'openid-client';
import { SyncError } from '../core/errors.ts';
import type { Client } from './choose.ts';
import { createIssuerFetch } from './issuer-fetch.ts';
import { IssuerError } from './refusal.ts';
import { retryTransient } from './retry.ts';
import type { AuthSeams } from './seams.ts';
import type { Issued } from './store.ts';

type OpenId = typeof OpenIdClient;
type Answer = Pick<
  TokenEndpointResponse,
  'access_token' | 'refresh_token' | 'expires_in' | 'scope'
>;

/** A request for a token (RFC 6749 §4.5): made anew for each attempt, as assertions are for one. */
export type Grant = {
  readonly type: string;
  readonly parameters: () => Promise<Readonly<Record<string, string>>>;
};

/** An OpenID issuer, as one client sees it. */
export type Issuer = {
  readonly grant: (grant: Grant) => Promise<Issued>;
  /** Begins a login on another device (RFC 8628 §3.1). */
  readonly authorizeDevice: () => Promise<DeviceAuthorizationResponse>;
  /** Tells the issuer to forget a token (RFC 7009); whether it can. */
  readonly revoke: (token: string) => Promise<boolean>;
};

/** How a client proves who it is. */
export type Authenticate = (openId: OpenId) => Promise<ClientAuth> | ClientAuth;

/** Loads openid-client and the discovery document with the first request, both once. */
export function openIssuer(client: Client, authenticate: Authenticate, seams: AuthSeams): Issuer {
  let opened: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    opened ??= retryTransient(() => discover(client, authenticate, seams), seams);
    // A failure is not kept: the next request asks again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const call = async <T>(request: (opened: Opened) => Promise<T>): Promise<T> => {
    const ready = await open();
    return retryTransient(() => explained(client, () => request(ready)), seams);
  };
  return {
    grant: ({ type, parameters }) =>
      call(async ({ openId, configuration }) => {
        const asked = seams.now();
        const answer = await openId.genericGrantRequest(configuration, type, await parameters());
        warnOfScope(client, answer, seams);
        return issuedBy(answer, asked, seams);
      }),
    authorizeDevice: () =>
      call(({ openId, configuration }) =>
        openId.initiateDeviceAuthorization(configuration, client.access),
      ),
    revoke: (token) =>
      call(async ({ openId, configuration }) => {
        if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
        await openId.tokenRevocation(configuration, token);
        return true;
      }),
  };
}

type Opened = { readonly openId: OpenId; readonly configuration: Configuration };

async function discover(
  client: Client,
  authenticate: Authenticate,
  seams: AuthSeams,
): Promise<Opened> {
  const openId = await import('openid-client');
  const authentication = await authenticate(openId);
  const { issuer, clientId } = client;
  const configuration = await explained(client, () =>
    openId.discovery(new URL(issuer), clientId, undefined, authentication, {
      // Which addresses may be plain http is for our own fetch to say.
      execute: [openId.allowInsecureRequests],
      [openId.customFetch]: createIssuerFetch(client, seams),
      timeout: seams.timeoutMs / 1000,
    }),
  );
  return { openId, configuration };
}

/** Of the lifetime alone: the clock of the issuer may differ from ours. */
function issuedBy(answer: Answer, now: number, { redactor }: AuthSeams): Issued {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime } = answer;
  redactor.hide(accessToken);
  if (refreshToken !== undefined) redactor.hide(refreshToken);
  return {
    accessToken,
    ...(lifetime !== undefined && { expiresAt: now + lifetime * 1000 }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

/** What asks for a kind of answer, or for all there is: issuers do not name it among the given. */
const neverNamed = /^(?:openid|offline_access)$|\/\.default$/u;

/** An issuer may give less than it was asked for, and then says so (RFC 6749 §5.1). */
function warnOfScope({ issuer, access }: Client, { scope }: Answer, { warn }: AuthSeams): void {
  const given = scope?.split(' ');
  const lacking = access['scope']
    ?.split(' ')
    .filter((name) => !neverNamed.test(name) && given?.includes(name) === false);
  if (!lacking || lacking.length === 0) return;
  warn({
    code: 'scope-narrowed',
    severity: 'warning',
    message: `The issuer ${issuer} gives a token without the scope ${JSON.stringify(lacking.join(' '))}.`,
    hint: 'Check auth.scope, and the scopes that the client may ask for.',
  });
}

/** What is thrown by openid-client itself tells of answers that keep to no standard. */
async function explained<T>(client: Client, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw ourOwn(error) ?? nonconforming(client, error);
  }
}

/** What our fetch has thrown comes wrapped. */
function ourOwn(error: unknown): Error | undefined {
  if (error instanceof SyncError) return error;
  return error instanceof Error ? ourOwn(error.cause) : undefined;
}

function nonconforming({ issuer }: Client, error: unknown): IssuerError {
  if (!(error instanceof Error)) return unexpectedAnswer(issuer, String(error));
  const isAnother = 'code' in error && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  if (!isAnother) return unexpectedAnswer(issuer, error.message);
  return new IssuerError(
    'issuer-mismatch',
    `The discovery document of ${issuer} belongs to another issuer.`,
    { hint: 'Write the issuer as its discovery document does, to the last slash.' },
  );
}

function unexpectedAnswer(issuer: string, complaint: string): IssuerError {
  return new IssuerError(
    'issuer-unexpected',
    `The issuer ${issuer} answers with what no OpenID issuer does: ${complaint}.`,
    { hint: 'Check the issuer, and whether a login page or proxy stands in front of it.' },
  );
}
