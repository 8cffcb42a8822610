import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { listen } from '../support/listen.ts';
import { serveCatalog } from '../support/workspace.ts';
import { audience } from './provider.ts';

/** A catalog that takes the tokens of an OpenID issuer, and no others; the URL of its interface. */
export async function serveTrusting(issuer: string, options: SandboxOptions = {}): Promise<string> {
  const catalog = await serveCatalog(options);
  const discovery = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: keys }: { readonly jwks_uri: string } = JSON.parse(await discovery.text());
  const keySet = createRemoteJWKSet(new URL(keys), { cooldownDuration: 0 });
  const isGood = async (authorization = ''): Promise<boolean> =>
    jwtVerify(authorization.replace(/^Bearer /u, ''), keySet, { issuer, audience }).then(
      () => true,
      () => false,
    );
  const server = createServer((incoming, answer) => void pass(incoming, answer));
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const isTrusted = await isGood(incoming.headers.authorization);
    const authorization = isTrusted ? `Bearer ${catalog.token}` : 'none';
    const { method, url = '' } = incoming;
    const headers = { ...incoming.headers, authorization };
    const onward = forward(new URL(url, catalog.url), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  };
  return `http://127.0.0.1:${await listen(server)}/api`;
}
