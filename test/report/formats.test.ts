import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandLine, logLines } from '../../src/report/formats.ts';
import { plain } from '../../src/report/blocks.ts';
import { renderPlanText } from '../../src/report/plan.ts';
import { hostileText, planSaying } from './hostile-text.ts';
import { parseCommand } from './runner-commands.ts';

describe('a log line', () => {
  test.for([
    '::error::x',
    '  ::error file=a::x',
    '\u3000::stop-commands::x',
    'a ##[add-mask]x',
    '::ERROR::x',
  ])('starts no workflow command though the text %j would', (text) => {
    expect(parseCommand(text)).toBeDefined();
    for (const line of logLines(text)) expect(parseCommand(line)).toBeUndefined();
  });

  test.for([
    '\u200B::error::x',
    ':\u034F:error::x',
    '#\u200D#\uFE0F[error]x',
    '\u0301::error::x',
    '\u0007::error::x',
  ])(
    'starts no workflow command though the runner ignores the invisible characters of %j',
    (text) => {
      expect(parseCommand(text)).toBeDefined();
      for (const line of logLines(text)) expect(parseCommand(line)).toBeUndefined();
    },
  );

  test.for(['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])('ends at %j', (end) => {
    expect(logLines(`a${end}b`)).toEqual(['a', 'b']);
  });

  test('takes no time to speak of, however it begins', () => {
    const tabs = '\t'.repeat(100);
    expect(logLines(`${tabs}x`)).toEqual([`${String.raw`\t`.repeat(100)}x`]);
    expect(logLines(`${tabs}::error::x`)[0]).toMatch(/^·/u);
  });

  test('that is harmless stays as it is', () => {
    const text = 'contracts/a.yaml:3:1: error: `a::b` is no key. [unknown-key] #12 [x]';
    expect(logLines(text)).toEqual([text]);
  });
});

test('no text of 500 hostile contracts makes a command', () => {
  fc.assert(
    fc.property(fc.infiniteStream(hostileText), (texts) => {
      const plan = planSaying(() => texts.next().value ?? 'x', 10);
      const raw = JSON.stringify(plan, null, 1).replaceAll(String.raw`\n`, '\n');
      for (const text of [renderPlanText(plan, { palette: plain, detail: 'all' }), raw]) {
        for (const line of logLines(text)) {
          expect(line).not.toMatch(/[\n\r]/u);
          expect(parseCommand(line)).toBeUndefined();
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("the runner reads back a command's message and properties, for any text", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (message, file) => {
      const line = commandLine({ name: 'error', properties: { file, line: 3 }, message });
      expect(line).not.toMatch(/[\n\r]/u);
      const command = parseCommand(line);
      expect(command?.name).toBe('error');
      expect(command?.message).toBe(message);
      // The runner trims the properties, and a property that is empty is none.
      expect(command?.properties['line']).toBe('3');
      expect(command?.properties['file']?.trim() ?? '').toBe(file.trim());
    }),
  );
});
