import { expect, test } from 'vitest';
import { displayUrl } from '../../src/http/address.ts';

test('a URL in a message shows no credentials and no unknown query values', () => {
  const url = new URL('https://me:pw@a.example/api?limit=5&signature=s3cret&after=c');
  expect(displayUrl(url)).toBe('https://a.example/api?limit=5&signature=…&after=…');
});
