import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import { elementMembers, isInOutline, nearestPointer, type Outline } from '../patch/pattern.ts';
import { formatPointer } from '../patch/pointer.ts';
import type { WrittenKey, WrittenPattern, WrittenPointer } from './rules.ts';

/** The patterns on what is in contracts that match nothing of this outline of all of them. */
export function unusedWithin(
  patterns: readonly WrittenPattern[],
  outline: Outline | undefined,
): Diagnostic[] {
  if (!outline || outline.size === 0) return [];
  return patterns.flatMap((written) => {
    switch (written.kind) {
      case 'pointer':
        return unusedPointer(written, outline);
      case 'key':
        return unusedKey(written, elementMembers(outline));
      case 'name':
      case 'path':
        return [];
    }
  });
}

export const correctIt = 'Correct it, or remove it.';

const aboutPointers = `${correctIt} \`*\` matches one step, such as each element of an array; \`**\` any number of steps.`;

function unusedPointer(written: WrittenPointer, outline: Outline): Diagnostic[] {
  if (isInOutline(written.pattern, outline)) return [];
  const near = nearestPointer(written.pattern, outline);
  const hint = near ? `Did you mean "${formatPointer(near)}"?` : aboutPointers;
  return [unusedPattern(written, 'matches nothing in any contract that has a file', hint)];
}

function unusedKey(
  written: WrittenKey,
  arrays: ReadonlyMap<string, ReadonlySet<string>>,
): Diagnostic[] {
  const known = arrays.get(written.text);
  if (!known) {
    const hint = didYouMean(written.text, [...arrays.keys()]) ?? correctIt;
    return [unusedPattern(written, 'is not an array in any contract that has a file', hint)];
  }
  return written.members
    .filter((member) => !known.has(member))
    .map((member) => {
      const complaint = `identifies elements by ${quote(member)}, which none of them has`;
      return unusedPattern(written, complaint, didYouMean(member, [...known]) ?? correctIt);
    });
}

/** A warning: the rest of the configuration holds all the same. */
export function unusedPattern(
  { setting, text, source }: WrittenPattern,
  complaint: string,
  hint: string,
): Diagnostic {
  const subject = setting.startsWith('--')
    ? `${setting} ${quote(text)}`
    : `${quote(text)} in \`${setting}\``;
  return {
    code: 'pattern-unused',
    severity: 'warning',
    message: `${subject} ${complaint}.`,
    hint,
    ...(source && { source }),
  };
}
