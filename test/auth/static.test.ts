import { expect, test } from 'vitest';
import { staticToken } from '../../src/auth/token.ts';
import { ConfigError } from '../../src/core/diagnostic.ts';

test('a token is given without the line end of the file that it came from', async () => {
  expect(await staticToken('eyJhbGciOi.abc-_~+/==\r\n')()).toBe('eyJhbGciOi.abc-_~+/==');
});

test.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['Bearer s3cret', 'whitespace'],
  ['s3cret\ns3cret', 'whitespace'],
  ['"s3cret"', 'characters'],
  ['s3cret\u0000', 'characters'],
  ['s3cret\u200B', 'characters'],
  ['s3crét', 'characters'],
])('%j is refused by a message that does not show it', (token, complaint) => {
  const make = (): unknown => staticToken(token);
  expect(make).toThrow(ConfigError);
  expect(make).toThrow(complaint);
  expect(make).not.toThrow('s3cr');
});
