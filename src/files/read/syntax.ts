import { type Document, isScalar, visit, type YAMLError } from 'yaml';
import { printable, quote } from '../../core/text.ts';
import type { OffsetDiagnostic } from './finding.ts';

/** The syntax errors and warnings of a parsed document. */
export function syntaxFindings(document: Document.Parsed, text: string): OffsetDiagnostic[] {
  if (document.errors.length > 0 && conflictMarker.test(text)) return [mergeConflict(text)];
  return [
    ...lastOfEachMistake(errorFindings(document, text)),
    ...document.warnings.map((warning) => warningFinding(warning, text)),
  ];
}

/** What the package says of one place is about one mistake, each time in other words. */
function lastOfEachMistake(errors: readonly OffsetDiagnostic[]): OffsetDiagnostic[] {
  return [...new Map(errors.map((error) => [`${error.offset} ${error.code}`, error])).values()];
}

/**
 * A key that is indented too deep goes on with the value above, and the package complains twice
 * there: of the colon, and of a key on several lines. So does a text of several lines with a colon.
 */
function errorFindings(document: Document.Parsed, text: string): OffsetDiagnostic[] {
  const errors = withoutFollowers(document.errors);
  const echoed = echoesIn(errors.filter(isOverLines), text);
  return [...Map.groupBy(errors, ({ pos }) => pos[0])].flatMap(([offset, complaints]) => {
    const span = complaints.find(isOverLines);
    const isTwice = span !== undefined && complaints.length > 1;
    if (isTwice && echoed.has(offset)) return [];
    if (isTwice && isKeyBelow(span, text)) return [tooDeep(span, text)];
    const told = isTwice ? complaints.filter((each) => !isOverLines(each)) : complaints;
    return told.map((error) => errorFinding(error, document, text));
  });
}

/** Where the package has lost its way, it complains of each token to the document's end. */
function withoutFollowers(errors: readonly YAMLError[]): readonly YAMLError[] {
  const first = errors.findIndex(isStray);
  return errors.filter((error, index) => index <= first || !isStray(error));
}

function isStray({ message }: YAMLError): boolean {
  return /^Unexpected \S+ token in YAML stream/u.test(message);
}

/** Where a line that is as deep as the one above is read as a value of the supposed key there. */
function echoesIn(spans: readonly YAMLError[], text: string): ReadonlySet<number> {
  const echoes = spans.filter(({ pos }, index) => {
    const above = spans[index - 1];
    return above !== undefined && /^:\s*$/u.test(text.slice(above.pos[1], pos[0]));
  });
  return new Set(echoes.map(({ pos }) => pos[0]));
}

function isOverLines({ code }: YAMLError): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY';
}

/** Whether the last line of the supposed key is a key by itself. */
function isKeyBelow({ pos }: YAMLError, text: string): boolean {
  return /\n *[\w.-]+$/u.test(text.slice(...pos));
}

const conflictMarker = /^<{7} /mu;

function mergeConflict(text: string): OffsetDiagnostic {
  return {
    code: 'merge-conflict',
    severity: 'error',
    message: 'Unresolved git merge conflict.',
    hint: 'Resolve it and remove the <<<<<<<, ======= and >>>>>>> lines.',
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
      message: 'This line is indented with a tab. YAML allows only spaces.',
      hint: 'Replace the tab with spaces.',
    },
  ],
  [
    /must be sufficiently indented and end with a/u,
    {
      code: 'yaml-unclosed',
      message: 'A [ or { before this is not closed, or its content is not indented enough.',
      hint: 'Close it, and indent its lines deeper than its key.',
    },
  ],
  [
    /^Nested mappings are not allowed in compact mappings/u,
    {
      code: 'yaml-colon-in-value',
      message: 'This value contains a colon and a space, so YAML reads it as another key.',
      hint: 'Quote the value.',
    },
  ],
  [
    /must start at the same column|^A block sequence may not be used as an implicit map key/u,
    {
      code: 'yaml-indentation',
      message: "The indentation of this line doesn't match the lines around it.",
      hint: 'Indent all keys of a mapping, and all items of a list, by the same number of spaces.',
    },
  ],
  [
    /^Implicit keys need to be on a single line/u,
    {
      code: 'yaml-syntax',
      message: 'YAML reads this as a key that spans several lines.',
      hint: 'Look for a missing colon or quote, or a next line that is indented too deep.',
    },
  ],
  [
    /^Implicit map keys need to be followed by map values/u,
    {
      code: 'yaml-syntax',
      message: 'Expected a key, followed by a colon and a space.',
      hint: 'Write `key: value`.',
    },
  ],
  [
    /^Plain value cannot start with/u,
    {
      code: 'yaml-syntax',
      message: 'This value starts with a character that YAML reserves.',
      hint: 'Quote the value.',
    },
  ],
  [
    /^Invalid escape sequence/u,
    {
      code: 'yaml-syntax',
      message: "Invalid escape: YAML doesn't know this backslash sequence.",
      hint: 'Use single quotes: a backslash has no meaning there.',
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
    hint: 'Check this line and the one above. Quote text that contains YAML syntax.',
  };
  return { ...sentence, severity: 'error', offset: pos[0] };
}

/** At the key, and not at the value above. */
function tooDeep({ pos }: YAMLError, text: string): OffsetDiagnostic {
  const key = text.slice(0, pos[1]).search(/(?<!\S)\S+$/u);
  return {
    code: 'yaml-indentation',
    severity: 'error',
    message: 'This key is indented deeper than the one above, which has a value already.',
    hint: 'Indent all keys of a mapping by the same number of spaces.',
    offset: key,
  };
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
    message: `The tag ${quote(text.slice(...pos))} has no meaning for this value.`,
    hint: 'Remove the tag: a contract has only text, numbers, booleans, null, lists and mappings.',
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
    message: 'This quote is never closed.',
    hint: 'Close it, or double the quotes inside a single-quoted text.',
    offset,
  };
}
