import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawAgreement, drawComment, drawPlan } from '../.ci/pictures/run.ts';
import { terminalSvg } from '../.ci/pictures/terminal.ts';
import { expectGolden } from './support/golden.ts';
import { root } from './support/root.ts';

const docs = join(root, 'docs');
const picture = join(docs, 'pictures', 'plan.svg');

test('the picture of a terminal shows what the command line prints', async () => {
  expectGolden(picture, await drawPlan());
});

test('the picture of a comment shows who has to agree', async () => {
  expectGolden(join(docs, 'pictures', 'agreement.svg'), await drawAgreement());
});

test('the page of the comment has what the Action writes', async () => {
  expectGolden(join(docs, 'comment.md'), await drawComment());
});

test('text in it is text, in its colour until the next one', () => {
  const svg = terminalSvg('\u001B[32m+ a <b>\u001B[39m & c\n');
  expect(svg).toContain('<tspan fill="#7ee787">+ a &#60;b&#62;</tspan> &#38; c</text>');
});

test('a line that is longer than the terminal goes on in the next row, in its colour', () => {
  const [long, rest] = ['a'.repeat(100), 'b'.repeat(10)];
  const svg = terminalSvg(`\u001B[32m${long} ${rest}\u001B[39m c\n`);
  const rows = [...svg.matchAll(/<text .*?>(.*)<\/text>/gu)].map(([, row]) => row);
  expect(rows).toEqual([
    `<tspan fill="#7ee787">${long}</tspan>`,
    `<tspan fill="#7ee787">  ${rest}</tspan> c`,
  ]);
});

test('the picture is not larger than 150 kB', () => {
  expect(statSync(picture).size).toBeLessThan(150_000);
});
