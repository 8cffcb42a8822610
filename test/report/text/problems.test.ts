import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import { plain } from '../../../src/report/blocks.ts';
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

test('the hint of one slip in many files stands once, in front, with their count', () => {
  const slips = Array.from({ length: 10 }, (_, index) => slipIn(`${index}.yaml`));
  const shown = problemParagraphs([...slips, other], { palette: plain });
  expect(shown.slice(0, 2)).toEqual([
    ['10 problems [key-misspelt] have one hint: Did you mean "dataType"?'],
    ['0.yaml:4:7: error: Unknown key. [key-misspelt]'],
  ]);
  expect(
    shown
      .flat()
      .join('\n')
      .match(/Did you mean/gu),
  ).toHaveLength(1);
  expect(shown.at(-1)).toEqual(['error: No. [yaml-syntax]', '  Quote.']);
});

test('the hint of a few stands below the last', () => {
  const shown = problemParagraphs([slipIn('a.yaml'), slipIn('b.yaml')], { palette: plain });
  expect(shown.map((lines) => lines.length)).toEqual([1, 2]);
});
