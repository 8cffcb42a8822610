import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { UnsecuredJWT } from 'jose';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { contractDocument, sendJson, serve, type Received } from '../catalog/server.ts';
import { runCli, startCli } from '../run-cli.ts';
import { deadUrl, makeFolder } from '../workspace.ts';

/** In every secret here, and in nothing else. */
const marker = 'LEAKMARKER';
/** A JWT in form: its first part is the same for all. */
const token = `eyJhbGciOiJub25lIn0.${marker}-claims.${marker}-signature`;
const issued = `eyJhbGciOiJub25lIn0.${marker}-issued.${marker}-signature`;
const clientSecret = `${marker}+s3cr3t/%"of the client`;
const basic = Buffer.from(`client:${encodeURIComponent(clientSecret)}`).toString('base64');

/** How each command is run; a flag that all the commands of a kind take stands with the kind. */
const network = ['--verbose', '--timeout', '5', '--config', 'config.yaml'];
const people = ['--verbose', '--config', 'config.yaml'];
const commands: Readonly<Record<string, readonly string[]>> = {
  plan: ['plan', '--out', 'plan.json', '--format', 'json', '--all', ...network],
  apply: ['apply', '--yes', ...network],
  validate: ['validate', '--config', 'config.yaml'],
  schema: ['schema', 'plan'],
  init: ['init'],
  login: ['login', ...people],
  logout: ['logout', ...people],
  whoami: ['whoami', ...people],
  sandbox: ['sandbox', '--port', '0'],
  demo: ['demo'],
};

type Answering = (request: Received, response: ServerResponse) => void;

type Mode = {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly looseFile?: string;
  readonly catalog?: Answering;
  readonly issuer?: Answering;
  /** Code that runs in the process before the program does. */
  readonly preload?: string;
};

const withSecret = { CONTRACT_SYNC_TOKEN: '', CONTRACT_SYNC_CLIENT_SECRET: clientSecret };
const withLogin = { CONTRACT_SYNC_TOKEN: '' };

const modes: readonly Mode[] = [
  { name: 'all goes well' },
  ...[400, 401, 403, 404, 409, 429, 500].map((status) => ({
    name: `the catalog answers ${status} and quotes the request`,
    catalog: quoting(status),
  })),
  { name: 'the catalog answers with a web page that quotes the request', catalog: pageThatQuotes },
  { name: 'the catalog answers with half a document', catalog: halfThatQuotes },
  {
    name: 'the catalog redirects to an address that quotes the request',
    catalog: redirectsQuoting,
  },
  { name: 'the catalog hangs up', catalog: (_, response) => void response.destroy() },
  { name: 'nobody listens', environment: { CONTRACT_SYNC_URL: await deadUrl() } },
  { name: 'the token is no token', environment: { CONTRACT_SYNC_TOKEN: `${token} ${token}` } },
  {
    name: 'the token has expired',
    environment: { CONTRACT_SYNC_TOKEN: `${new UnsecuredJWT({ exp: 1 }).encode()}${marker}` },
  },
  {
    name: 'the configuration quotes the token and is wrong',
    files: { 'config.yaml': `tokn: ${token}\ncatalog: { url: [${token}], ${token}: 1 }\n` },
  },
  {
    name: 'the address of the catalog quotes the token',
    environment: { CONTRACT_SYNC_URL: `https://bot:${token}@catalog.test/api?token=${token}` },
  },
  { name: 'a contract quotes the token', files: contractThat(`description: ${token}`) },
  {
    name: 'a contract quotes the token and is wrong',
    files: contractThat(`${token}: 1\nname: [${token}\n"${token}`),
  },
  { name: 'the command line quotes the token', flags: [`--tokn=${token}`, token] },
  { name: 'the program fails where nobody expects it', preload: crashOnce() },
  {
    name: 'a request fails with an error that quotes it',
    preload: `globalThis.fetch = async (_, init) => {
      const quote = JSON.stringify([...new Headers(init.headers), String(init.body)]);
      throw new TypeError(quote, { cause: new Error(quote, { cause: { code: quote } }) });
    };`,
  },
  { name: 'an issuer gives the token', environment: withSecret },
  { name: 'an issuer gives it, the catalog not', environment: withSecret, catalog: quoting(401) },
  ...[400, 401, 403, 500].map((status) => ({
    name: `the issuer answers ${status} and quotes the request`,
    environment: withSecret,
    issuer: quoting(status),
  })),
  { name: 'the issuer answers with a web page', environment: withSecret, issuer: pageThatQuotes },
  { name: 'the issuer redirects', environment: withSecret, issuer: redirectsQuoting },
  {
    name: 'the issuer gives what is no token',
    environment: withSecret,
    issuer: (_, response) =>
      sendJson(response, { access_token: `${marker} ${marker}`, token_type: 'bearer' }),
  },
  {
    name: 'the private key cannot be read',
    environment: {
      CONTRACT_SYNC_TOKEN: '',
      CONTRACT_SYNC_PRIVATE_KEY: `-----BEGIN PRIVATE KEY-----\n${marker}${marker}\n-----END PRIVATE KEY-----\n`,
    },
  },
  { name: 'a person is logged in', environment: withLogin },
  {
    name: 'the login is refused',
    environment: withLogin,
    catalog: quoting(401),
    issuer: quoting(400),
  },
  {
    name: 'the logins may be read by others',
    environment: withLogin,
    looseFile: 'state/contract-sync/tokens.json',
  },
  {
    name: 'the logins are broken',
    environment: withLogin,
    files: { 'state/contract-sync/tokens.json': `{"logins": ${marker}` },
  },
];

test('every command there is is tried', async () => {
  const { stdout } = await runCli(['--help'], { folder: makeFolder() });
  const [, list = ''] = stdout.split('Commands:\n');
  const named = [...list.matchAll(/^ {2}(\w+)/gmu)].map(([, name = '']) => name);
  expect(named.filter((name) => name !== 'help').toSorted()).toEqual(
    Object.keys(commands).toSorted(),
  );
});

describe('no secret is in the output, the files or the process list', () => {
  test.for(Object.entries(commands))('of %s', { timeout: 120_000 }, async ([, args]) => {
    const limit = pLimit(3);
    const leaks = await limit.map([...modes], async (mode) => {
      const found = await findLeaks(args, mode);
      return found.length > 0 ? { [mode.name]: found } : {};
    });
    expect(Object.assign({}, ...leaks)).toEqual({});
  });
});

/** Runs a command and looks everywhere for the marker. */
async function findLeaks(args: readonly string[], mode: Mode): Promise<string[]> {
  const processes: string[] = [];
  const typed = mode.flags ?? [];
  const look = (): void => void (typed.length === 0 && processes.push(...listProcesses()));
  const { url } = await serve((request, response) => {
    look();
    const isIssuer = request.path.startsWith('/api/issuer');
    if (isIssuer) answerAsIssuer(mode, request, response);
    else (mode.catalog ?? answerAsCatalog)(request, response);
  });
  const folder = arrange(mode, `${url.href}/issuer`);
  const before = readFiles(folder);
  const child = startCli([...args, ...typed], {
    folder,
    environment: {
      CONTRACT_SYNC_URL: `${url.href}/catalog`,
      CONTRACT_SYNC_ISSUER: `${url.href}/issuer`,
      CONTRACT_SYNC_CLIENT_ID: 'client',
      CONTRACT_SYNC_TOKEN: token,
      XDG_STATE_HOME: join(folder, 'state'),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(impatience + (mode.preload ?? ''))}`,
      ...mode.environment,
    },
  });
  child.stdin.end();
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      // The one command that goes on until it is told to end.
      if (args[0] === 'sandbox' && text.includes('Ctrl-C')) child.kill('SIGINT');
    });
  }
  child.once('spawn', look);
  await once(child, 'close');
  if (output.length === 0 && args[0] !== 'login') throw new Error(`${mode.name}: no output`);
  const changed = Object.entries(readFiles(folder)).filter(([file, text]) => before[file] !== text);
  const written = changed.filter(([file]) => !file.endsWith('tokens.json'));
  return [...output, ...written.flat(), ...processes].filter(tellsSecret);
}

function tellsSecret(text: string): boolean {
  return text.includes(marker) || text.includes(basic) || text.includes(btoa(token));
}

/** The program waits before it tries again; here it does not. */
const impatience = `
  import timers from 'node:timers/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { setTimeout: wait } = timers;
  timers.setTimeout = (milliseconds, ...rest) => wait(Math.min(milliseconds, 1), ...rest);
  syncBuiltinESMExports();
`;

/** Throws where no command catches it, as soon as the program is up. */
function crashOnce(): string {
  return `process.on('newListener', (event) => {
    const cause = new Error('${token}', { cause: { token: '${token}' } });
    if (event === 'uncaughtException') {
      setImmediate(() => { throw new Error('Quoting ${token}', { cause }); });
    }
  });`;
}

function contractThat(line: string): Readonly<Record<string, string>> {
  return { 'contracts/orders.yaml': `fullyQualifiedName: shop.orders\n${line}\n` };
}

function arrange({ files, looseFile }: Mode, issuer: string): string {
  const login = { accessToken: issued, refreshToken: `${marker}-refresh`, expiresAt: 1 };
  const folder = makeFolder({
    ...contractThat('description: new'),
    'config.yaml': 'auth: { scope: contracts }\n',
    'state/contract-sync/tokens.json': JSON.stringify({ logins: { [`${issuer} client`]: login } }),
    ...files,
  });
  chmodSync(join(folder, 'state/contract-sync/tokens.json'), 0o600);
  if (looseFile !== undefined) chmodSync(join(folder, looseFile), 0o644);
  return folder;
}

function answerAsCatalog({ method, headers }: Received, response: ServerResponse): void {
  const contract = contractDocument(1, {
    fullyQualifiedName: 'shop.orders',
    // Whoever may write to the catalog may write a token into it.
    description: method === 'PATCH' ? 'new' : (headers.authorization ?? ''),
  });
  sendJson(response, method === 'PATCH' ? contract : { data: [contract], paging: { total: 1 } });
}

function answerAsIssuer({ issuer }: Mode, request: Received, response: ServerResponse): void {
  const address = `http://${request.headers.host}/api/issuer`;
  if (request.path.includes('/.well-known/')) {
    return sendJson(response, {
      issuer: address,
      token_endpoint: `${address}/token`,
      device_authorization_endpoint: `${address}/device`,
      revocation_endpoint: `${address}/revoke`,
    });
  }
  if (issuer) return issuer(request, response);
  const login = {
    device_code: `${marker}-device`,
    user_code: 'ABCD-EFGH',
    verification_uri: 'https://id.test/device',
    expires_in: 60,
  };
  const tokens = { access_token: issued, refresh_token: `${marker}-next`, token_type: 'bearer' };
  sendJson(response, request.path.endsWith('/device') ? login : { ...tokens, expires_in: 60 });
}

function quoteOf({ headers, path, body }: Received): string {
  return JSON.stringify({
    headers,
    path,
    body,
    form: Object.fromEntries(new URLSearchParams(body)),
  });
}

function quoting(status: number): Answering {
  return (request, response) => {
    response.setHeader('x-request-id', request.headers.authorization ?? '');
    const words = `What is this: ${request.headers.authorization}? ${quoteOf(request)}`;
    sendJson(response, { error: 'odd', error_description: words, message: words }, status);
  };
}

function pageThatQuotes(request: Received, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<html><title>${quoteOf(request)}</title>`);
}

function halfThatQuotes(request: Received, response: ServerResponse): void {
  response.end(`{"data": [${request.headers.authorization}`);
}

function redirectsQuoting({ headers }: Received, response: ServerResponse): void {
  const quote = encodeURIComponent(headers.authorization ?? '');
  response.writeHead(307, { location: `http://catalog.test/${quote}?token=${quote}` }).end();
}

/** The command lines of all processes, where the system shows them in files. */
function listProcesses(): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8');
      } catch {
        // It has ended meanwhile.
        return '';
      }
    });
}

function readFiles(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
