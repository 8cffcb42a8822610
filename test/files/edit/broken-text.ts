import type { Random } from './random.ts';

/** What means something to YAML, and breaks it in most places. */
const characters = '\t\n\r[]{}"\',#|>!%@`\uFEFF\u2028\0'.split('');
const signs = [...characters, '- ', '? ', ': ', '&a ', '*a', '<<: ', '  ', '---\n', '...\n'];

/** A text with a few signs too many, and a few characters too few. */
export function brokenText(random: Random, text: string): string {
  let broken = text;
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = random.below(broken.length + 1);
    const isLonger = random.chance(0.5);
    const rest = isLonger
      ? random.pick(signs) + broken.slice(at)
      : broken.slice(at + 1 + random.below(6));
    broken = broken.slice(0, at) + rest;
  }
  return broken;
}
