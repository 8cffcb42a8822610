import { describe, expect, test } from 'vitest';
import { serverReason } from '../../src/http/send.ts';

describe("the server's own words are found", () => {
  test.each([
    ['{"code":400,"message":"Bad pointer."}', 'Bad pointer.'],
    ['{"error":{"code":"E1","message":"Bad pointer."}}', 'Bad pointer.'],
    ['{"error":"invalid_token","error_description":"It expired."}', 'It expired.'],
    ['{"errorType":"UNAUTHORIZED"}', 'UNAUTHORIZED'],
    ['{"type":"about:blank","title":"Forbidden","detail":"Not yours."}', 'Not yours.'],
    ['"Bad pointer."', 'Bad pointer.'],
    ['<html>\n<head><TITLE>502 Bad Gateway</TITLE></head>', '502 Bad Gateway'],
    ['upstream connect error', 'upstream connect error'],
    ['{"message":"one\\n\\u001b[31mtwo"}', 'one [31mtwo'],
    ['<title <title lang="en">Down</title>', 'Down'],
    ['<html><body>Nothing</body></html>', undefined],
    ['{}', undefined],
    ['[1,2]', undefined],
    ['null', undefined],
    ['{"message":""}', undefined],
    ['', undefined],
  ])('in %s', (text, reason) => {
    expect(serverReason(text)).toBe(reason);
  });

  test('and are cut where they do not end', () => {
    expect(serverReason('x'.repeat(5000))).toHaveLength(301);
  });
});
