import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContract, readHistory, readPage } from '../../src/catalog/answers.ts';
import type { Answer } from '../../src/http/send.ts';
import { idOf } from '../support/server.ts';

function answerOf(text: string, type = 'application/json'): Pick<Answer, 'headers' | 'text'> {
  return { headers: new Headers({ 'content-type': type }), text };
}

describe('an answer', () => {
  test('of any text, JSON or not, is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        for (const read of [readPage, readHistory, readContract]) {
          const attempt = read(answerOf(text));
          expect('value' in attempt || attempt.fault.message.endsWith('.')).toBe(true);
        }
      }),
    );
  });

  test('that is a page keeps each contract as it was sent, with a version that has its decimal', () => {
    const document = { id: idOf(1), name: 'orders', version: 1, extra: [null] };
    const text = JSON.stringify({ data: [document], paging: { total: 7, after: 'c' } });
    expect(readPage(answerOf(text))).toEqual({
      value: {
        contracts: [{ id: idOf(1), name: 'orders', version: '1.0', document }],
        total: 7,
        after: 'c',
      },
    });
  });

  test('that is a page may have null as its total', () => {
    const page = readPage(answerOf('{"data":[],"paging":{"total":null}}'));
    expect(page).toEqual({ value: { contracts: [] } });
  });

  test('that is a history holds its snapshots in the order of the server', () => {
    const text =
      '{"entityType":"dataContract","versions":["{\\"version\\":0.2}","{\\"version\\":0.1}"]}';
    expect(readHistory(answerOf(text))).toEqual({
      value: { entityType: 'dataContract', versions: [{ version: 0.2 }, { version: 0.1 }] },
    });
  });

  test('to a patch must be the patched contract', () => {
    const text = JSON.stringify({ id: idOf(1) });
    expect(readContract(answerOf(text), idOf(1))).toHaveProperty('value.id', idOf(1));
    expect(readContract(answerOf(text), idOf(2))).toHaveProperty('fault.code', 'unexpected-answer');
  });

  test.each([
    ['<html>', 'text/html', 'unexpected-answer', false],
    ['Please log in', 'text/html', 'unexpected-answer', false],
    ['{"data":[', 'application/json', 'unexpected-answer', true],
    ['', 'application/json', 'unexpected-answer', true],
  ])('%j as %s is %s, and may be requested again: %s', (text, type, code, transient) => {
    expect(readPage(answerOf(text, type))).toMatchObject({ fault: { code, transient } });
  });
});
