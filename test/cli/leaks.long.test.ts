import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import timers from 'node:timers/promises';
import { UnsecuredJWT } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { describeProgram, runProgram } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import type { Fetch } from '../../src/core/effects.ts';
import { contractDocument, sendJson, serve, type Received } from '../support/server.ts';
import { preloading, runCli, startCli } from '../support/run-cli.ts';
import { deadUrl, makeFolder } from '../support/workspace.ts';

/** In every secret here, and in nothing else. */
const marker = 'LEAKMARKER';
/** A JWT in form: what it claims is no secret. */
const token = `eyJhbGciOiJub25lIn0.claims.${marker}-signature`;
const issued = `eyJhbGciOiJub25lIn0.claims.${marker}-issued-signature`;
const clientSecret = `${marker}+s3cr3t/%"of the client`;
const basic = Buffer.from(`client:${encodeURIComponent(clientSecret)}`).toString('base64');

const loginsFile = 'state/contract-sync/tokens.json';

/** How each command is run; a flag that all the commands of a kind take stands with the kind. */
const network = ['--verbose', '--config', 'config.yaml'];
const commands: Readonly<Record<string, readonly string[]>> = {
  plan: ['plan', '--out', 'plan.json', '--format', 'json', '--all', ...network],
  'plan, as text': ['plan', ...network],
  'plan, as Markdown': ['plan', '--format', 'markdown', ...network],
  'plan, as HTML': ['plan', '--format', 'html', ...network],
  apply: ['apply', '--yes', '--report', 'report.json', ...network],
  'apply, as JSON': ['apply', '--yes', '--format', 'json', ...network],
  'apply, as HTML': ['apply', '--yes', '--format', 'html', ...network],
  pull: ['pull', ...network],
  import: ['import', ...network],
  history: ['history', 'shop.orders', ...network],
  downstream: ['downstream', 'shop.orders', ...network],
  rollback: ['rollback', 'shop.orders', '--to', '0.1', '--yes', ...network],
  doctor: ['doctor', ...network],
  'doctor, as JSON': ['doctor', '--format', 'json', ...network],
  validate: ['validate', '--config', 'config.yaml'],
  schema: ['schema', 'plan'],
  rules: ['rules'],
  explain: ['explain', 'unauthorized'],
  init: ['init'],
  login: ['login', ...network],
  logout: ['logout', ...network],
  sandbox: ['sandbox', '--port', '0'],
  demo: ['demo'],
};

type Answering = (request: Received, response: ServerResponse) => void;

type Mode = {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly looseLogins?: boolean;
  readonly onRequest?: () => void;
  readonly catalog?: Answering;
  readonly issuer?: Answering;
  readonly fetch?: Fetch;
};

/** With a proxy requests go by the global `fetch`, straight to this machine; without, by node:http. */
const elsewhere = { HTTP_PROXY: 'http://proxy.test' };
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
  { name: 'a proxy is set', environment: elsewhere },
  {
    name: 'a proxy is set, and the catalog quotes the request',
    environment: elsewhere,
    catalog: quoting(400),
  },
  {
    name: 'a request fails with an error that quotes it',
    environment: elsewhere,
    fetch: failsQuoting,
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
    looseLogins: true,
  },
  {
    name: 'the logins are broken',
    environment: withLogin,
    files: { [loginsFile]: `{"logins": ${marker}` },
  },
];

test('every command there is is tried', () => {
  const silent = { write: () => undefined, report: () => undefined };
  const program = describeProgram(silent, async () => {});
  expect(program.commands.map((command) => command.name()).toSorted()).toEqual(
    [...new Set(Object.values(commands).map(([name = '']) => name))].toSorted(),
  );
});

test.for(Object.entries(commands))(
  'no secret is in the output or the files of %s',
  async ([, args]) => {
    const leaks: Record<string, readonly string[]> = {};
    const silentIn = new Set<string>();
    for (const mode of modes) {
      // A command that asks no server is not told apart by what servers answer.
      const given = givenTo(mode);
      if (silentIn.has(given)) continue;
      silentIn.add(given);
      const world = await arrange({ ...mode, onRequest: () => void silentIn.delete(given) });
      const before = readFiles(world.folder);
      const output = await runInProcess([...args, ...(mode.flags ?? [])], world, mode);
      const told = [output, ...changedFiles(world.folder, before)].filter(tellsSecret);
      if (told.length > 0) leaks[mode.name] = told;
    }
    expect(leaks).toEqual({});
  },
);

test.for(Object.entries(commands))(
  "no secret is in the process list, nor in Node's report of a crash, of %s",
  async ([, args]) => {
    const processes: string[] = [];
    const look = (): void => void processes.push(...listProcesses());
    const { folder, environment } = await arrange({ name: 'a crash', onRequest: look });
    const child = startCli(args, {
      folder,
      environment: { ...environment, ...preloading(crash) },
    });
    child.once('spawn', look);
    child.stdin.end();
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('Quoting ***');
    expect([stdout, stderr, ...processes].filter(tellsSecret)).toEqual([]);
  },
);

test('a plan that would show a secret is saved without it, and cannot be applied from its file', async () => {
  const { folder, environment } = await arrange({
    name: '',
    files: contractThat(`description: x${token}`),
  });
  const world = { folder, environment };
  expect(await runCli(['plan', '--out', 'plan.json'], world)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'plan.json'), 'utf8')).toContain('"after": "x***"');
  const run = await runCli(['apply', '--yes', '--plan', 'plan.json'], world);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('[plan-edited]');
});

/** What a command that sends no request can see of a mode. */
function givenTo({ environment, flags, files, looseLogins }: Mode): string {
  return JSON.stringify([environment, flags, files, looseLogins]);
}

/** A process for each of the hundreds of runs would take minutes. */
async function runInProcess(
  args: readonly string[],
  { folder, environment }: World,
  { fetch }: Mode,
): Promise<string> {
  let output = '';
  const stream = {
    isTTY: false as const,
    write: (text: string) => {
      output += text;
      return true;
    },
  };
  const { stdin } = process;
  const surroundings = { stdin, stdout: stream, stderr: stream, env: environment };
  const terminal = createTerminal({ colour: false }, { ...surroundings, cwd: () => folder });
  // The one command that goes on until it is told to end.
  const isEndless = args[0] === 'sandbox';
  await runProgram(args, {
    ...terminal,
    ...(fetch && { fetch }),
    interruption: () => (isEndless ? AbortSignal.abort() : new AbortController().signal),
  });
  for (const [key, dispatcher] of usualDispatchers) Reflect.set(globalThis, key, dispatcher);
  return output;
}

/** Those of undici, which a proxy replaces for the whole process. */
const usualDispatchers = Object.getOwnPropertySymbols(globalThis)
  .filter(({ description }) => description?.startsWith('undici.globalDispatcher.'))
  .map((key) => [key, Reflect.get(globalThis, key)] as const);

// The program waits before it tries again; here it does not.
const { setTimeout: wait } = timers;
timers.setTimeout = (milliseconds, ...rest) => wait(Math.min(milliseconds ?? 0, 1), ...rest);
syncBuiltinESMExports();
// Other files run in this process after it.
afterAll(() => {
  timers.setTimeout = wait;
  syncBuiltinESMExports();
});

function tellsSecret(text: string): boolean {
  return text.includes(marker) || text.includes(basic) || text.includes(btoa(token));
}

/** Throws where no command catches it, and nobody expects it. */
const crash = `
  process.on('newListener', (event) => {
    const cause = new Error('${token}', { cause: { token: '${token}' } });
    const error = new Error('Quoting ${token}', { cause });
    if (event === 'uncaughtException') setImmediate(() => { throw error; });
  });`;

async function failsQuoting(_: unknown, init?: RequestInit): Promise<never> {
  const quote = JSON.stringify([...new Headers(init?.headers), init?.body]);
  throw new TypeError(quote, { cause: new Error(quote, { cause: { code: quote } }) });
}

function contractThat(line: string): Readonly<Record<string, string>> {
  return { 'contracts/orders.yaml': `fullyQualifiedName: shop.orders\n${line}\n` };
}

type World = { readonly folder: string; readonly environment: Record<string, string> };

/** A folder, an environment, and a server that is the catalog and the issuer. */
async function arrange(mode: Mode): Promise<World> {
  const { url } = await serve((request, response) => {
    mode.onRequest?.();
    const isIssuer = request.path.startsWith('/api/issuer');
    if (isIssuer) answerAsIssuer(mode, request, response);
    else (mode.catalog ?? answerAsCatalog)(request, response);
  });
  const issuer = `${url.href}/issuer`;
  const login = { accessToken: issued, refreshToken: `${marker}-refresh`, expiresAt: 1 };
  const folder = makeFolder({
    ...contractThat('description: new'),
    'config.yaml': 'auth: { scope: contracts }\ncatalog: { timeoutSeconds: 5 }\n',
    [loginsFile]: JSON.stringify({ logins: { [`${issuer} client`]: login } }),
    ...mode.files,
  });
  chmodSync(join(folder, loginsFile), mode.looseLogins ? 0o644 : 0o600);
  const environment = {
    CONTRACT_SYNC_URL: `${url.href}/catalog`,
    CONTRACT_SYNC_ISSUER: issuer,
    CONTRACT_SYNC_CLIENT_ID: 'client',
    CONTRACT_SYNC_TOKEN: token,
    XDG_STATE_HOME: join(folder, 'state'),
    ...mode.environment,
  };
  return { folder, environment };
}

/** What is new or different. The logins are where they belong: in a file of the user alone. */
function changedFiles(folder: string, before: Readonly<Record<string, string>>): string[] {
  return Object.entries(readFiles(folder))
    .filter(([file, content]) => before[file] !== content && file !== loginsFile)
    .flat();
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
