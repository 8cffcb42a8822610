import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { TokenDescription } from '../../src/auth/source.ts';
import { createServerReader } from '../../src/catalog/client.ts';
import { type Check, type DoctorInput, examine } from '../../src/doctor/examine.ts';
import { makeValidation, type Validation } from '../../src/files/files.ts';
import { ConfigError, DiagnosticsError } from '../../src/core/diagnostic.ts';
import type { JsonObject } from '../../src/core/json.ts';
import {
  collect,
  connectTo,
  contractDocument,
  sendJson,
  serve,
  type Received,
} from '../support/server.ts';

/** The clock of `connectTo` stands still here. */
const now = 1_700_000_000_000;

type Catalog = {
  readonly contracts?: readonly JsonObject[];
  /** What stands in the way of the usual answer, if it returns true. */
  readonly interfere?: (request: Received, response: ServerResponse) => boolean;
  readonly input?: Partial<DoctorInput>;
};

async function examineCatalog({ contracts = [], interfere, input }: Catalog): Promise<Check[]> {
  const server = await serve((request, response) => {
    response.setHeader('date', new Date(now).toUTCString());
    if (interfere?.(request, response)) return;
    if (!request.path.startsWith('/api/v1/dataContracts')) sendJson(response, {}, 404);
    else {
      const limit = Number(request.query.get('limit'));
      sendJson(response, { data: contracts.slice(0, limit), paging: { total: contracts.length } });
    }
  });
  const checks = await collect(
    examine(() => ({
      catalogUrl: server.url.href,
      catalogOrigin: '--catalog-url',
      notices: [],
      dialect: 'auto',
      environment: {},
      describeToken: async () => ({ method: 'static-token', reason: 'it is set' }),
      server: createServerReader(connectTo(server.url)),
      validate: async () => makeValidation([], 3, 3),
      now: () => now,
      ...input,
    })),
  );
  expect(server.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  return checks;
}

function find(checks: readonly Check[], subject: Check['subject']): Check | undefined {
  return checks.find((check) => check.subject === subject);
}

const ten = Array.from({ length: 10 }, (_, number) =>
  contractDocument(number, { entityStatus: number === 9 ? 'Active' : 'Draft' }),
);

test('a sound catalog is good in all respects', async () => {
  const checks = await examineCatalog({ contracts: ten });
  expect(checks.map(({ subject, verdict }) => `${subject}: ${verdict}`)).toEqual([
    'url: good',
    'proxy: good',
    'token: good',
    'list: good',
    'clock: good',
    'dialect: good',
    'files: good',
  ]);
});

test('a list that takes longer than a second is shown with its time', async () => {
  let time = now;
  const checks = await examineCatalog({ contracts: ten, input: { now: () => (time += 4000) } });
  expect(find(checks, 'list')?.message).toBe('can list contracts: 10, in 4.0 s');
});

const flaw = { code: 'unknown-key', severity: 'error', message: 'Unknown key "a".' } as const;

test.each<[string, Validation, Partial<Check>]>([
  [
    'none',
    makeValidation([], 0, 0),
    { verdict: 'warning', message: 'there is no contract file yet' },
  ],
  [
    'an error',
    makeValidation([flaw], 3, 2),
    {
      verdict: 'bad',
      code: 'unknown-key',
      message: '2 contracts without errors in 3 files; 1 error',
      hint: '`contract-sync validate` shows them.',
    },
  ],
  [
    'a warning',
    makeValidation([{ ...flaw, severity: 'warning' }], 1, 1),
    { verdict: 'warning', message: '1 contract without errors in 1 file; 1 warning' },
  ],
])('files with %s are the last finding', async (_, validation, told) => {
  const checks = await examineCatalog({ input: { validate: async () => validation } });
  expect(checks.at(-1)).toMatchObject({ subject: 'files', ...told });
});

const answering =
  (body: JsonObject, status = 200): NonNullable<Catalog['interfere']> =>
  ({ path }, response) => {
    if (path !== '/api/v1/system/version') return false;
    sendJson(response, body, status);
    return true;
  };
const release = (version: string) => answering({ version, revision: 'abc' });

test.each<[string, Catalog, Partial<Check>]>([
  [
    'a catalog without a release',
    {},
    {
      verdict: 'good',
      message: 'standard, because its server names no release (status 404)',
      hint: 'Add `catalog: { dialect: standard }` to the configuration, and no run asks.',
    },
  ],
  [
    'a release',
    { interfere: release('1.10.2') },
    { verdict: 'good', message: 'openmetadata, because its server is OpenMetadata 1.10.2' },
  ],
  [
    'an old release',
    { interfere: release('1.9.3') },
    {
      verdict: 'good',
      message: 'standard, because its server is OpenMetadata 1.9.3, which is too old',
    },
  ],
  ['no answer', { interfere: answering({}, 502) }, { verdict: 'bad', code: 'dialect-unknown' }],
  [
    'a setting, without a request for the release',
    { interfere: release('1.12.6'), input: { dialect: 'standard' } },
    { verdict: 'good', message: 'standard, because the configuration says so' },
  ],
  [
    'a contract that contradicts the setting',
    { contracts: ten, input: { dialect: 'openmetadata' } },
    { verdict: 'bad', code: 'dialect-contradicted' },
  ],
])('the kind of catalog is known by %s', async (_, catalog, expected) => {
  expect(find(await examineCatalog(catalog), 'dialect')).toMatchObject(expected);
});

test.for([
  ['1.12.6', '1.12.6: tried on a running server'],
  ['1.11.0', '1.11.0: not tried; taken to behave as 1.12.6, which was'],
  [
    '2.1.0',
    '2.1.0: not tried; taken to behave as 1.12.6, which was; docs/openmetadata.md has what is known to differ',
  ],
])('doctor rates release %s', async ([version, says]) => {
  const checks = await examineCatalog({
    contracts: [contractDocument(1)],
    interfere: release(version ?? ''),
  });
  expect(find(checks, 'release')).toMatchObject({
    verdict: 'good',
    message: expect.stringContaining(says ?? ''),
  });
});

test('an issued token that is over by the clock of this machine is judged by the catalog', async () => {
  const description: TokenDescription = {
    method: 'client-secret-basic',
    reason: 'it is set',
    expiresAt: now - 1000,
  };
  const checks = await examineCatalog({ input: { describeToken: async () => description } });
  expect(find(checks, 'token')).toEqual({
    subject: 'token',
    verdict: 'good',
    message: expect.stringMatching(/; expires at 2023-11-14T22:13:19Z$/u),
  });
  expect(find(checks, 'list')?.verdict).toBe('good');
});

test.for([
  ['static-token', /^It may have expired .* renew it/u],
  ['client-secret-basic', /^It was issued for this run\. Compare whom it is for/u],
] as const)(
  'the hint for a token that the catalog rejects fits its source: %s',
  async ([method, hint]) => {
    const checks = await examineCatalog({
      input: { describeToken: async () => ({ method, reason: 'it is set' }) },
      interfere: (_, response) => {
        sendJson(response, { code: 401, message: 'Token not valid' }, 401);
        return true;
      },
    });
    expect(find(checks, 'list')).toMatchObject({
      verdict: 'bad',
      hint: expect.stringMatching(hint),
    });
  },
);

describe('the clock', () => {
  test.each([
    [-29_000, 'good', 'agrees'],
    [120_000, 'warning', "the catalog's clock is 120 s ahead of this machine's"],
    [-3_600_000, 'warning', "the catalog's clock is 3600 s behind this machine's"],
  ])('%i ms apart is %s', async (apart, verdict, says) => {
    const checks = await examineCatalog({
      interfere: (_, response) => {
        response.setHeader('date', new Date(now + apart).toUTCString());
        return false;
      },
    });
    const check = find(checks, 'clock');
    expect(check?.verdict).toBe(verdict);
    expect(check?.message).toContain(says);
  });

  test('of a catalog that sends no time is not judged', async () => {
    const checks = await examineCatalog({
      interfere: (_, response) => {
        response.sendDate = false;
        response.removeHeader('date');
        return false;
      },
    });
    expect(find(checks, 'clock')).toMatchObject({ verdict: 'warning' });
  });
});

function describedBy(expiresAt: number, method: 'static-token' | 'client-secret-basic') {
  const description = { method, reason: 'so', subject: 'bot', expiresAt };
  return { input: { describeToken: async () => description } };
}

describe('the token', () => {
  test.each([
    [90_000, 'warning', '2023-11-14T22:14:50Z'],
    [7_200_000, 'warning', '2023-11-15T00:13:20Z'],
    [40 * 86_400_000, 'good', '2023-12-24T22:13:20Z'],
  ])('that ends in %i ms is %s', async (left, verdict, says) => {
    const checks = await examineCatalog(describedBy(now + left, 'static-token'));
    expect(find(checks, 'token')).toMatchObject({ verdict });
    expect(find(checks, 'token')?.message).toMatch(new RegExp(`^owner bot; .*${says}$`, 'u'));
  });

  test('that is requested anew each time may end soon', async () => {
    const checks = await examineCatalog(describedBy(now + 90_000, 'client-secret-basic'));
    expect(find(checks, 'token')?.verdict).toBe('good');
  });

  test("that can't be had is bad, and no request goes to the catalog", async () => {
    const failure = new ConfigError('no-token', 'There is no token.', { hint: 'Set one.' });
    const checks = await examineCatalog({
      input: { describeToken: async () => Promise.reject(failure) },
      interfere: () => {
        throw new Error('asked');
      },
    });
    expect(checks.at(-1)).toEqual({
      subject: 'token',
      verdict: 'bad',
      code: 'no-token',
      message: 'There is no token.',
      hint: 'Set one.',
    });
  });
});

test.each([
  [401, 'rejected the access token'],
  [403, 'lacks the permission to list data contracts'],
  [404, 'No data contract service'],
])('a list that is answered with %i is bad, and the last check', async (status, says) => {
  const checks = await examineCatalog({
    interfere: (_, response) => {
      sendJson(response, {}, status);
      return true;
    },
  });
  expect(checks.at(-1)).toMatchObject({ subject: 'list', verdict: 'bad' });
  expect(checks.at(-1)?.message).toContain(says);
  expect(checks.at(-1)?.hint).not.toContain('contract-sync doctor');
});

describe('the proxy', () => {
  test('is shown without its password', async () => {
    const environment = { HTTPS_PROXY: 'http://me:s3cret@proxy.example.com:3128' };
    const checks = await examineCatalog({ input: { environment } });
    expect(find(checks, 'proxy')?.message).toBe(
      'http://proxy.example.com:3128 for https; none for localhost,127.0.0.1,[::1]',
    );
  });

  test('that is wrong is a failed check', async () => {
    const environment = { HTTPS_PROXY: 'socks5://proxy' };
    const checks = await examineCatalog({ input: { environment } });
    expect(checks.at(-1)).toMatchObject({ subject: 'proxy', verdict: 'bad' });
  });
});

test('each problem of the configuration has its place', async () => {
  const source = { file: 'contract-sync.yaml', line: 3, column: 1 };
  const problem = { code: 'unknown-key', severity: 'error', message: 'No such key.' } as const;
  const checks = await collect(
    examine(() => {
      throw new DiagnosticsError('invalid-config', 'It cannot be used.', [{ ...problem, source }]);
    }),
  );
  expect(checks).toEqual([
    {
      subject: 'configuration',
      verdict: 'bad',
      code: 'invalid-config',
      message: 'contract-sync.yaml:3:1: No such key.',
    },
  ]);
});

test('a bug of ours is not taken for an illness of the catalog', async () => {
  const bug = collect(
    examine(() => {
      throw new TypeError('undefined is not a function');
    }),
  );
  await expect(bug).rejects.toThrow(TypeError);
});
