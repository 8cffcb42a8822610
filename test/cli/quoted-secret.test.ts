import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { contractDocument, sendJson, serve } from '../support/server.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const secret = `${'x'.repeat(60)}.${'y'.repeat(60)}`;

async function runAgainst(args: string, live: JsonObject, token: string, file?: string) {
  const document = contractDocument(1, { fullyQualifiedName: 'shop.orders', ...live });
  const { url } = await serve((_request, response) => {
    sendJson(response, { data: [document], paging: { total: 1 } });
  });
  const folder = makeFolder(file === undefined ? {} : { 'contracts/a.yaml': file });
  const environment = accessTo({ url: url.href, token });
  return { folder, ...(await runInProcess(args.split(' '), { folder, environment })) };
}

const texts: readonly (readonly [string, string])[] = [
  ['folded', `See: ${'a blank '.repeat(9)}${secret}\u0007`],
  ['on its own line', `See\n${secret}\n`],
  ['in a long line', `See ${secret}.`],
];

describe('a secret in the catalog', () => {
  test.for(texts)('%s is imported into no file', async ([, description]) => {
    const { code, folder, stderr } = await runAgainst('import', { description }, secret);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('[secret-in-catalog]'),
    });
    expect(existsSync(join(folder, 'contracts'))).toBe(false);
  });

  test.for(texts)('%s is pulled into no file', async ([, description]) => {
    const file = 'fullyQualifiedName: shop.orders\ndescription: "d"\n';
    const { code, folder, stderr } = await runAgainst('pull', { description }, secret, file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('[secret-in-catalog]'),
    });
    expect(readFileSync(join(folder, 'contracts/a.yaml'), 'utf8')).toBe(file);
  });

  test.for(['text', 'markdown', 'html', 'json'])(
    'as a key is shown in no plan as %s',
    async (format) => {
      const file = 'fullyQualifiedName: shop.orders\nextension: { a: 1 }\n';
      const live = { extension: { [`see ${secret}`]: { [secret]: secret } } };
      const { stdout } = await runAgainst(`plan --format ${format}`, live, secret, file);
      expect(stdout).toContain('see ***');
      expect(stdout).not.toMatch(/x{20}|y{20}/u);
    },
  );
});
