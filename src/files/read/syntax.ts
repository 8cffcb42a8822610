import { type Document, visit, type YAMLError } from 'yaml';
import { printable, quote } from '../../core/text.ts';
import type { OffsetDiagnostic } from './finding.ts';

export function syntaxFindings(document: Document.Parsed, text: string): OffsetDiagnostic[] {
  const { errors, warnings } = document;
  const offset = errors.length > 0 ? text.search(/^<{7} /mu) : -1;
  if (offset !== -1) {
    const message = 'Unresolved git merge conflict.';
    const hint = 'Resolve it and remove the <<<<<<<, ======= and >>>>>>> lines.';
    return [{ code: 'merge-conflict', message, hint, offset }];
  }
  // The package reports one mistake several times at one place.
  const byPlace = errorFindings(document, text).map(
    (error) => [`${error.offset} ${error.code}`, error] as const,
  );
  return [
    ...new Map(byPlace).values(),
    ...warnings.map((warning): OffsetDiagnostic => {
      // An unknown tag is only a warning to the package, but changes what a contract says.
      if (warning.code === 'TAG_RESOLVE_FAILED') return unknownTag(warning, text);
      const message = `${printable(warning.message)}.`;
      const hint = 'Remove or quote it: another YAML tool may read the file differently.';
      return { code: 'yaml-warning', severity: 'warning', message, hint, offset: warning.pos[0] };
    }),
  ];
}

// A key that is indented too deep, or a text of several lines with a colon, has two errors at one
// place: for its colon, and as a key on several lines.
function errorFindings(document: Document.Parsed, text: string): OffsetDiagnostic[] {
  const errors = withoutFollowers(document.errors);
  const echoed = echoesIn(errors.filter(isOverLines), text);
  return [...Map.groupBy(errors, ({ pos }) => pos[0])].flatMap(([offset, complaints]) => {
    const span = complaints.find(isOverLines);
    const isTwice = span !== undefined && complaints.length > 1;
    if (isTwice && echoed.has(offset)) return [];
    // Whether the last line of the supposed key is a key by itself.
    if (isTwice && /\n *[\w.-]+$/u.test(text.slice(...span.pos))) return [tooDeep(span, text)];
    const distinct = isTwice ? complaints.filter((each) => !isOverLines(each)) : complaints;
    return distinct.map((error) => errorFinding(error, document, text));
  });
}

// After a stray token, the package reports each token to the document's end.
function withoutFollowers(errors: readonly YAMLError[]): readonly YAMLError[] {
  const stray = errors.filter(({ message }) =>
    /^Unexpected \S+ token in YAML stream/u.test(message),
  );
  return errors.filter((error) => error === stray[0] || !stray.includes(error));
}

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

const sentences: readonly (readonly [RegExp, code: string, message: string, hint: string])[] = [
  [
    /^Tabs are not allowed/u,
    'tab-indentation',
    'This line is indented with a tab. YAML allows only spaces.',
    'Replace the tab with spaces.',
  ],
  [
    /must be sufficiently indented and end with a/u,
    'yaml-unclosed',
    'A [ or { before this is not closed, or its content is not indented enough.',
    'Close it, and indent its lines deeper than its key.',
  ],
  [
    /^Nested mappings are not allowed in compact mappings/u,
    'yaml-colon-in-value',
    'This value contains a colon and a space, so YAML reads it as another key.',
    'Quote the value.',
  ],
  [
    /must start at the same column|^A block sequence may not be used as an implicit map key/u,
    'yaml-indentation',
    "The indentation of this line doesn't match the lines around it.",
    'Indent all keys of a mapping, and all items of a list, by the same number of spaces.',
  ],
  [
    /^Implicit keys need to be on a single line/u,
    'yaml-syntax',
    'YAML reads this as a key that spans several lines.',
    'Look for a missing colon or quote, or a next line that is indented too deep.',
  ],
  [
    /^Implicit map keys need to be followed by map values/u,
    'yaml-syntax',
    'Expected a key, followed by a colon and a space.',
    'Write `key: value`.',
  ],
  [
    /^Plain value cannot start with/u,
    'yaml-syntax',
    'This value starts with a character that YAML reserves.',
    'Quote the value.',
  ],
  [
    /^Invalid escape sequence/u,
    'yaml-syntax',
    "Invalid escape: YAML doesn't know this backslash sequence.",
    'Use single quotes: a backslash has no meaning there.',
  ],
];

function errorFinding(error: YAMLError, document: Document.Parsed, text: string): OffsetDiagnostic {
  const { code: kind, message: complaint, pos } = error;
  const offset = pos[0];
  if (kind === 'TAG_RESOLVE_FAILED') return unknownTag(error, text);
  if (complaint.startsWith('Missing closing')) return unclosedQuote(document, offset);
  const known = sentences.find(([pattern]) => pattern.test(complaint));
  const [, code, message, hint] = known ?? [
    undefined,
    'yaml-syntax',
    `This is not valid YAML: ${printable(complaint)}.`,
    'Check this line and the one above. Quote text that contains YAML syntax.',
  ];
  return { code, message, hint, offset };
}

function tooDeep({ pos }: YAMLError, text: string): OffsetDiagnostic {
  return {
    code: 'yaml-indentation',
    message: 'This key is indented deeper than the one above, which has a value already.',
    hint: 'Indent all keys of a mapping by the same number of spaces.',
    offset: text.slice(0, pos[1]).search(/(?<!\S)\S+$/u),
  };
}

function unknownTag({ pos }: YAMLError, text: string): OffsetDiagnostic {
  const message = `The tag ${quote(text.slice(...pos))} has no meaning for this value.`;
  const hint =
    'Remove the tag: a contract has only text, numbers, booleans, null, lists and mappings.';
  return { code: 'unknown-tag', ofValue: true, message, hint, offset: pos[0] };
}

// The package reports the end of the text, not the opening quote.
function unclosedQuote(document: Document.Parsed, end: number): OffsetDiagnostic {
  let offset = end;
  visit(document, {
    Scalar: (_key, { range }) => {
      if (range && range[0] <= end && range[1] >= end) offset = range[0];
    },
  });
  const message = 'This quote is never closed.';
  const hint = 'Close it, or double the quotes inside a single-quoted text.';
  return { code: 'yaml-unclosed', message, hint, offset };
}
