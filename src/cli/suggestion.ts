import type { Command } from 'commander';
import { suggest } from '../core/text.ts';

/**
 * What commander says of a command line, with a better suggestion: it compares an unknown flag
 * together with its value, and suggests nothing for a word that is none of a few.
 */
export function withSuggestion(message: string, command: Command | undefined): string {
  if (!command) return message;
  const [text = ''] = message.split('\n');
  const suggestion = suggestFlag(text, command) ?? suggestChoice(text);
  return suggestion === undefined ? message : `${text}\n(Did you mean ${suggestion}?)\n`;
}

function suggestFlag(text: string, command: Command): string | undefined {
  const [, flag] = /^error: unknown option '-+([^'=]+)/u.exec(text) ?? [];
  if (flag === undefined) return undefined;
  const choice = command.options.find(({ argChoices }) => argChoices?.includes(flag));
  if (choice?.long) return `${choice.long} ${flag}`;
  const flags = command.options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = suggest(flag, flags);
  return near === undefined ? undefined : `--${near}`;
}

/** Of the words that an option or an argument takes. */
function suggestChoice(text: string): string | undefined {
  const { groups } =
    /(?:argument|value) '(?<word>[^']*)' is invalid.* Allowed choices are (?<choices>.+)\.$/u.exec(
      text,
    ) ?? {};
  return groups && suggest(groups['word'] ?? '', groups['choices']?.split(', ') ?? []);
}
