import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import { plain } from '../../../src/report/blocks.ts';
import { makeValidation } from '../../../src/files/files.ts';
import { renderHtml } from '../../../src/report/html.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { validationScreen } from '../../../src/report/problems.ts';
import { problemParagraphs } from '../../../src/report/text-contract.ts';

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
    ['300 problems [key-misspelt] have one hint: Did you mean "dataType"?'],
    ['0.yaml:4:7: error: Unknown key. [key-misspelt]'],
  ]);
  expect(text.at(-1)).toEqual(['error: No. [yaml-syntax]', '  Quote.']);
  const screen = validationScreen(makeValidation(problems, 300, 0));
  const lead = /300 problems(?:\*\*|<\/strong>)? .*have one hint: Did you mean/u;
  for (const shown of [renderMarkdown(screen, { budget: Infinity }), renderHtml(screen)]) {
    expect(shown).toMatch(lead);
    expect(shown.match(/Did you mean/gu)).toHaveLength(1);
    expect(shown.indexOf('have one hint')).toBeLessThan(shown.indexOf('Unknown key'));
  }
});

test('the hint of a few stands below the last', () => {
  const shown = problemParagraphs([slipIn('a.yaml'), slipIn('b.yaml')], { palette: plain });
  expect(shown.map((lines) => lines.length)).toEqual([1, 2]);
});
