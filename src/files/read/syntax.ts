import { type Document, isScalar, visit, type YAMLError } from 'yaml';
import { printable, quote } from '../../core/text.ts';
import type { OffsetDiagnostic } from './finding.ts';

/** The syntax errors and warnings of a parsed document. */
export function syntaxFindings(document: Document.Parsed, text: string): OffsetDiagnostic[] {
  if (document.errors.length > 0 && conflictMarker.test(text)) return [mergeConflict(text)];
  return [
    ...lastOfEachMistake(document.errors.map((error) => errorFinding(error, document, text))),
    ...document.warnings.map((warning) => warningFinding(warning, text)),
  ];
}

/** What the package says of one place is about one mistake, each time in other words. */
function lastOfEachMistake(errors: readonly OffsetDiagnostic[]): OffsetDiagnostic[] {
  return [...new Map(errors.map((error) => [`${error.offset} ${error.code}`, error])).values()];
}

const conflictMarker = /^<{7} /mu;

function mergeConflict(text: string): OffsetDiagnostic {
  return {
    code: 'merge-conflict',
    severity: 'error',
    message: 'A merge conflict of git stands here unresolved.',
    hint: 'Resolve it, and remove the lines of <, = and >.',
    offset: text.search(conflictMarker),
  };
}

type Sentence = Pick<OffsetDiagnostic, 'code' | 'message' | 'hint'>;

/** Our words for the mistakes that people make; for the rest the package's own will do. */
const sentences: readonly (readonly [pattern: RegExp, sentence: Sentence])[] = [
  [
    /^Tabs are not allowed/u,
    {
      code: 'tab-indentation',
      message: 'A tab indents this line, and YAML allows only spaces there.',
      hint: 'Replace the tab by spaces.',
    },
  ],
  [
    /must be sufficiently indented and end with a/u,
    {
      code: 'yaml-unclosed',
      message: 'A [ or { before this is not closed, or what it holds is indented too little.',
      hint: 'Close it, and indent its lines deeper than the key that it belongs to.',
    },
  ],
  [
    /^Nested mappings are not allowed in compact mappings/u,
    {
      code: 'yaml-colon-in-value',
      message: 'This value holds a colon and a space, so it reads as a key of its own.',
      hint: 'Quote the value.',
    },
  ],
  [
    /must start at the same column|^A block sequence may not be used as an implicit map key/u,
    {
      code: 'yaml-indentation',
      message: 'This line does not line up with the lines that it belongs with.',
      hint: 'Indent all keys of a mapping, and all items of a list, by the same number of spaces.',
    },
  ],
  [
    /^Implicit keys need to be on a single line/u,
    {
      code: 'yaml-syntax',
      message: 'This reads as a key that goes on over several lines.',
      hint: 'Look for a missing colon or quote, or for a next line that is indented too deep.',
    },
  ],
  [
    /^Implicit map keys need to be followed by map values/u,
    {
      code: 'yaml-syntax',
      message: 'A key is expected here, and no colon and space follows it.',
      hint: 'Write `key: value`.',
    },
  ],
  [
    /^Plain value cannot start with/u,
    {
      code: 'yaml-syntax',
      message: 'This value starts with a sign that YAML keeps for itself.',
      hint: 'Quote the value.',
    },
  ],
  [
    /^Invalid escape sequence/u,
    {
      code: 'yaml-syntax',
      message: 'A backslash stands here that begins no escape of YAML.',
      hint: 'Quote it with single quotes, where a backslash is a backslash.',
    },
  ],
];

function errorFinding(error: YAMLError, document: Document.Parsed, text: string): OffsetDiagnostic {
  const { code, message, pos } = error;
  if (code === 'TAG_RESOLVE_FAILED') return unknownTag(error, text);
  if (message.startsWith('Missing closing')) return unclosedQuote(document, pos[0]);
  const known = sentences.find(([pattern]) => pattern.test(message));
  const sentence = known?.[1] ?? {
    code: 'yaml-syntax',
    message: `This is not valid YAML: ${printable(message)}.`,
    hint: 'Look at this line and the one above; quote text that holds signs of YAML.',
  };
  return { ...sentence, severity: 'error', offset: pos[0] };
}

/** A tag without meaning is but a warning to the package; a contract would say something else. */
function warningFinding(warning: YAMLError, text: string): OffsetDiagnostic {
  if (warning.code === 'TAG_RESOLVE_FAILED') return unknownTag(warning, text);
  return {
    code: 'yaml-warning',
    severity: 'warning',
    message: `${printable(warning.message)}.`,
    hint: 'Remove or quote it: another YAML tool may read the file differently.',
    offset: warning.pos[0],
  };
}

function unknownTag({ pos }: YAMLError, text: string): OffsetDiagnostic {
  return {
    code: 'unknown-tag',
    severity: 'error',
    message: `The tag ${quote(text.slice(...pos))} has no meaning for this value in a contract.`,
    hint: 'Remove the tag: a contract holds text, numbers, booleans, null, lists and mappings.',
    offset: pos[0],
  };
}

/** The package reports the end of the text; the quote that opens is what people look for. */
function unclosedQuote(document: Document.Parsed, end: number): OffsetDiagnostic {
  let offset = end;
  visit(document, {
    Scalar: (_key, node) => {
      const range = isScalar(node) ? node.range : undefined;
      if (range && range[0] <= end && range[1] >= end) offset = range[0];
    },
  });
  return {
    code: 'yaml-unclosed',
    severity: 'error',
    message: 'The quote that opens here is never closed.',
    hint: 'Close it, or double the quotes inside of a single-quoted text.',
    offset,
  };
}
