import { expect, test } from 'vitest';
import type { Diagnostic, Severity, SourcePosition } from '../../../src/core/diagnostic.ts';
import { defined } from '../../../src/core/json.ts';
import { plain } from '../../../src/report/blocks.ts';
import { makeValidation } from '../../../src/files/files.ts';
import { renderHtml } from '../../../src/report/html.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { validationScreen } from '../../../src/report/problems.ts';
import { problemLines, problemParagraphs } from '../../../src/report/text-contract.ts';

function slipIn(file: string): Diagnostic {
  const source = { file, line: 4, column: 7 };
  const hint = 'Did you mean "dataType"?';
  return { code: 'key-misspelt', severity: 'error', message: 'Unknown key.', hint, source };
}

const other: Diagnostic = {
  code: 'yaml-syntax',
  severity: 'error',
  message: 'No.',
  hint: 'Quote.',
};

test('the hint of one slip in many files stands once, in front, with their count, in every medium', () => {
  const problems = [...Array.from({ length: 300 }, (_, index) => slipIn(`${index}.yaml`)), other];
  const text = problemParagraphs(problems, { palette: plain });
  expect(text.slice(0, 2)).toEqual([
    ['error: 300 problems have one hint: [key-misspelt]', '  Did you mean "dataType"?'],
    ['0.yaml:4:7: error: Unknown key. [key-misspelt]'],
  ]);
  expect(text.at(-1)).toEqual(['error: No. [yaml-syntax]', '  Quote.']);
  const screen = validationScreen(makeValidation(problems, 300, 0));
  for (const shown of [renderMarkdown(screen, { budget: Infinity }), renderHtml(screen)]) {
    expect(shown).toContain('300 problems have one hint');
    expect(shown.match(/Did you mean/gu)).toHaveLength(1);
    expect(shown.indexOf('have one hint')).toBeLessThan(shown.indexOf('Unknown key'));
  }
});

const long = 'warehouse.sales.'.repeat(300);

test.each<[string, Severity, source: SourcePosition | undefined, most: number]>([
  ['a remark', 'information', undefined, 300],
  ['a remark on a place', 'information', slipIn(`${'folder/'.repeat(8)}a.yaml`).source, 300],
  ['a warning', 'warning', undefined, Infinity],
  ['an error', 'error', undefined, Infinity],
])(
  '%s has at most as many characters as a line that is read in passing',
  (_, severity, source, most) => {
    const message = `The file of ${long} differs: applying it would undo this rollback.`;
    const problem: Diagnostic = {
      code: 'no-longer-managed',
      severity,
      message,
      ...defined({ source }),
    };
    const screen = validationScreen(makeValidation([problem], 1, 0));
    const shown = [
      ...problemLines(problem, { palette: plain }),
      ...renderMarkdown(screen, { budget: Infinity }).split('\n'),
      ...renderHtml(screen)
        .split('\n')
        .filter((line) => line.includes('The file of'))
        .map((line) => line.replaceAll(/<[^>]*>/gu, '')),
    ].filter((line) => line.includes('The file of'));
    expect(shown).toHaveLength(3);
    for (const line of shown) {
      expect(line).toContain('applying it would undo this rollback.');
      const visible = line.replaceAll(/<\w+>|<\/\w+>/gu, '').replaceAll(/&#?\w+;/gu, '.');
      expect(visible.length).toBeLessThanOrEqual(most);
      if (most === Infinity) expect(line.length).toBeGreaterThan(long.length);
    }
  },
);

test('the hint of a few stands below the last', () => {
  const shown = problemParagraphs([slipIn('a.yaml'), slipIn('b.yaml')], { palette: plain });
  expect(shown.map((lines) => lines.length)).toEqual([1, 2]);
});
