import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/core/diagnostic.ts';
import { proxiesOf } from '../../src/http/fetch.ts';
import { run } from '../support/process.ts';
import { contractDocument, idOf, sendJson, serve } from '../support/server.ts';
import { serveProxy } from '../support/proxy.ts';
import { sourceUrl } from '../support/source-url.ts';

describe('the proxy of the environment', () => {
  test('is not used where no variable names one', () => {
    expect(proxiesOf({ NO_PROXY: 'a.example', HTTPS_PROXY: '' })).toBeUndefined();
  });

  test('never stands between this machine and itself', () => {
    expect(proxiesOf({ HTTPS_PROXY: 'http://proxy:3128' })).toEqual({
      https_proxy: 'http://proxy:3128/',
      no_proxy: 'localhost,127.0.0.1,[::1]',
    });
    expect(proxiesOf({ http_proxy: 'http://proxy:3128', NO_PROXY: '.corp' })).toEqual({
      http_proxy: 'http://proxy:3128/',
      no_proxy: '.corp,localhost,127.0.0.1,[::1]',
    });
  });

  test('may be written without a scheme, and be wrong only without showing its password', () => {
    expect(proxiesOf({ HTTPS_PROXY: 'me:pw@proxy:3128' })).toMatchObject({
      https_proxy: 'http://me:pw@proxy:3128/',
    });
    const withMore = ['/s3cret', '?token=s3cret', '#s3cret'].map((more) => `http://proxy${more}`);
    for (const HTTP_PROXY of [
      'socks5://me:s3cret@proxy',
      'http://me:s3cret@',
      ':s3cret',
      ...withMore,
    ]) {
      expect(() => proxiesOf({ HTTP_PROXY })).toThrow(ConfigError);
      expect(() => proxiesOf({ HTTP_PROXY })).not.toThrow('s3cret');
    }
  });

  test('is taken in lower case first', () => {
    const environment = { https_proxy: 'http://lower:1', HTTPS_PROXY: 'http://upper:1' };
    expect(proxiesOf(environment)).toMatchObject({ https_proxy: 'http://lower:1/' });
  });
});

test('a proxy is used for the catalog, and never for this machine', async () => {
  const sandbox = await serve((_, response) => sendJson(response, { data: [contractDocument(1)] }));
  const { proxy, asked } = await serveProxy(Number(sandbox.url.port));
  const listing = `
    import { createReader } from '${sourceUrl('catalog/client.ts')}';
    import { useEnvironmentProxy } from '${sourceUrl('http/fetch.ts')}';
    useEnvironmentProxy(process.env);
    for (const url of ['http://catalog.example', '${sandbox.url.href}']) {
      const connection = { baseUrl: new URL(url), token: async () => 'token', pageSize: 'auto',
        timeoutMs: 9000, version: '1', allowHttp: true };
      for await (const { contracts } of createReader(connection).list()) console.log(contracts[0].id);
    }`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', listing], {
    env: { HTTP_PROXY: proxy },
  });
  expect(stdout).toBe(`${idOf(1)}\n${idOf(1)}\n`);
  expect(asked).toEqual(['catalog.example']);
});
