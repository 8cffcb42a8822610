/** What a file may not exceed, so that none can hang or exhaust the program that reads it. */

import type { Finding } from './finding.ts';

/** How deep lists and mappings may nest, documents not counted. */
export const deepestNesting = 100;
/** Problems of one file that are told; a file with more is not worth reading on. */
export const mostProblems = 100;
/** Lexical tokens of a file: half a megabyte of ordinary YAML, and a bound on time and memory. */
export const mostTokens = 200_000;

/** Values that all aliases of a document may add: what an alias bomb runs into. */
export const mostAliasedValues = 100_000;

const escape = /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})/giu;

/** Escapes that YAML does not have; each would become an Error, and a text may hold 500,000. */
export function badEscapes(lexeme: string): number {
  if (!lexeme.startsWith('"') || !lexeme.includes('\\')) return 0;
  return lexeme.replaceAll(escape, '').split('\\').length - 1;
}

export function tooDeep(offset: number): Finding {
  return {
    code: 'nesting-too-deep',
    severity: 'error',
    message: `Lists and mappings nest more than ${deepestNesting} deep here.`,
    hint: 'Flatten the value: no contract needs that depth.',
    offset,
  };
}

export function tooManyTokens(offset: number): Finding {
  return {
    code: 'file-too-complex',
    severity: 'error',
    message: `The file holds more than ${mostTokens} YAML tokens, so it is not read any further.`,
    hint: 'Split it: a file may hold one contract.',
    offset,
  };
}

export function tooManyBadEscapes(offset: number): Finding {
  return {
    code: 'too-many-problems',
    severity: 'error',
    message: `The text that starts here has more than ${mostProblems} backslashes that begin no escape.`,
    hint: 'Quote it with single quotes, where a backslash is a backslash.',
    offset,
  };
}

export function tooManyAliased(offset: number): Finding {
  return {
    code: 'too-many-aliases',
    severity: 'error',
    message: `The aliases of this document stand for more than ${mostAliasedValues} values.`,
    hint: 'Write the values out, or split the document.',
    offset,
  };
}
