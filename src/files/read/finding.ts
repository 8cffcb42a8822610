import type { Diagnostic, Severity } from '../../core/diagnostic.ts';
import { deepestNesting } from '../../core/json.ts';
import { CST, Lexer } from 'yaml';

export type Finding = Omit<Diagnostic, 'severity' | 'source'> & {
  /** Default: an error. */
  readonly severity?: Severity;
};

/** By offset, in UTF-16 code units. */
export type OffsetDiagnostic = Finding & {
  readonly offset: number;
};

export function toDiagnostic(file: string, lines: Lines, finding: OffsetDiagnostic): Diagnostic {
  const { offset, ...problem } = finding;
  const { code, severity = 'error', ...words } = problem;
  const source = { file, ...lines.place(offset) };
  // The order of members is that of the JSON output.
  return problem.severity ? { ...problem, severity, source } : { code, severity, ...words, source };
}

export type LineColumn = { readonly line: number; readonly column: number };

/** Lines and columns count from 1. */
export type Lines = { readonly place: (offset: number) => LineColumn };

/** Goes on from the last place, as callers mostly ask in order. */
export function linesOf(text: string): Lines {
  let start = 0;
  let line = 1;
  return {
    place: (offset) => {
      // Some syntax errors are placed past the end.
      const within = Math.min(offset, text.length);
      for (; start > within; line -= 1)
        start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
      for (let end = text.indexOf('\n', start); end !== -1 && end < within; line += 1) {
        start = end + 1;
        end = text.indexOf('\n', start);
      }
      return { line, column: within - start + 1 };
    },
  };
}

export const mostProblems = 100;

// Assigning either can pollute prototypes in programs that read the values.
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

export const tooDeep = {
  code: 'nesting-too-deep',
  message: `Lists and mappings are nested more than ${deepestNesting} levels deep here.`,
  hint: 'Flatten the value.',
};

export function mergeConflict(text: string): OffsetDiagnostic | undefined {
  const offset = text.search(/^<{7} /mu);
  if (offset === -1) return undefined;
  const message = 'Unresolved git merge conflict.';
  const hint = 'Resolve it and remove the <<<<<<<, ======= and >>>>>>> lines.';
  return { code: 'merge-conflict', message, hint, offset };
}

/** Says in plain words what js-yaml complains of, at the place to look at. */
export function syntaxError(text: string, complaint: string, position: number): OffsetDiagnostic {
  if (complaint.startsWith('nesting exceeded')) return { ...tooDeep, offset: position };
  const line = text.lastIndexOf('\n', position - 1) + 1;
  const situation = `${complaint}\n${text.slice(line, position)}\n${text[position] ?? ''}`;
  for (const [pattern, message, hint, find] of problems) {
    const offset = pattern.test(situation) ? find({ text, position, line }) : undefined;
    if (offset !== undefined) return { code: 'yaml-syntax', message, hint, offset };
  }
  const message = `This is not valid YAML: ${complaint}.`;
  const hint = 'Check this line and the one above. Quote text that contains YAML syntax.';
  return { code: 'yaml-syntax', message, hint, offset: position };
}

/** `position` is where js-yaml complains, `line` the start of its line. */
type Fault = { readonly text: string; readonly position: number; readonly line: number };

type Problem = readonly [
  /** Matches three lines: js-yaml's complaint, the line up to its position, the character there. */
  situation: RegExp,
  message: string,
  hint: string,
  /** The offset to report; undefined where it is another problem. */
  find: (fault: Fault) => number | undefined,
];

const onLine =
  (pattern: RegExp) =>
  ({ text, line }: Fault) =>
    endOf(pattern, text, line);

const onLineOrAbove =
  (pattern: RegExp) =>
  ({ text, line }: Fault) =>
    endOf(pattern, text, line) ?? endOf(pattern, text, text.lastIndexOf('\n', line - 2) + 1);

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  const [found] = pattern.exec(text.slice(start)) ?? [];
  return found === undefined ? undefined : start + found.length;
}

const atPosition = ({ position }: Fault) => position;

// The first that fits.
const problems: readonly Problem[] = [
  [
    /^/u,
    'This line is indented with a tab. YAML allows only spaces.',
    'Replace the tab with spaces.',
    onLine(/^ *(?=\t)/u),
  ],
  [
    /^/u,
    'This dash has no space behind it, so it begins no item of a list.',
    'Write `- `, with a space.',
    onLineOrAbove(/^ *(?=-(?:[{[]|[\w"'][^:\n]*(?:: |\n|$)))/u),
  ],
  [
    /^/u,
    'This colon has no space behind it, so it ends no key.',
    'Write `key: value`, with a space.',
    onLineOrAbove(/^ *(?:- +)*[A-Za-z_]\w*(?=:[^\s:/])/u),
  ],
  [
    /^/u,
    'This key is beside the items of a list: a dash is missing, or it is not indented like the keys of the item above.',
    'Begin a new item with `- `, or indent the key by two more spaces.',
    missingDash,
  ],
  [
    /^deficient|^.*within a/u,
    'This quote is not closed, or its next lines are not indented enough.',
    String.raw`Close it, or indent them deeper than its key. Within it, write \" for a double quote, or '' for a single one.`,
    openQuote,
  ],
  [
    /^(?:deficient|.*within a flow|missed comma.*\n.*\n[\]}])/u,
    'This bracket is not closed, or its content is not indented enough.',
    'Close it, and indent its lines deeper than its key.',
    openBracket,
  ],
  [
    /^(?:unknown escape|expected hexadecimal)/u,
    "Invalid escape: YAML doesn't know this backslash sequence.",
    'Use single quotes: a backslash has no meaning there.',
    ({ text, position }) => text.lastIndexOf('\\', position - 1),
  ],
  [
    /\n[@`%]$/u,
    'This value starts with a character that YAML reserves.',
    'Quote the value.',
    atPosition,
  ],
  [
    /multiline key/u,
    'YAML reads this as a key that spans several lines.',
    'Look for a missing colon or quote, or a next line that is indented too deep.',
    startOfKey,
  ],
  [
    /^expected ':'/u,
    'Expected a key, followed by a colon and a space.',
    'Write `key: value`.',
    onLine(/^ */u),
  ],
  [
    /^(?:bad indentation|end of the stream).*\n(?:---|.*?:) .*\n:$/u,
    'This value contains a colon and a space, so YAML reads it as another key.',
    'Quote the value.',
    onLine(/^(?:---|.*?:) +/u),
  ],
  [
    /^(?:bad indentation|end of the stream).*\n.*\n:$/u,
    'This key is indented deeper than the one above, which has a value already.',
    'Indent all keys of a mapping by the same number of spaces.',
    onLine(/^ */u),
  ],
  [
    /^(?:bad indentation|end of the stream).*\n *\n[^\]}]$/u,
    "The indentation of this line doesn't match the lines around it.",
    'Indent all keys of a mapping, and all items of a list, by the same number of spaces.',
    atPosition,
  ],
  [
    /^(?:bad indentation|end of the stream).*\n.*\n[^\]}]$/u,
    'The value before this has ended already.',
    'Quote the whole value, or begin a new line.',
    atPosition,
  ],
];

// The nearest line above that is indented no deeper begins an item.
function missingDash({ text, line, position }: Fault): number | undefined {
  const indent = /^ *(?=[\w"'][^\n]*:(?:\s|$))/u.exec(
    text.slice(line, text.indexOf('\n', line) + 1 || undefined),
  )?.[0];
  if (indent === undefined || position > line + indent.length) return undefined;
  const above = text
    .slice(0, line)
    .split('\n')
    .findLast((each) => /\S/u.test(each) && !each.startsWith(`${indent} `));
  return above?.startsWith(`${indent}- `) ? line + indent.length : undefined;
}

// Goes up over lines without a colon, which js-yaml takes for one key.
function startOfKey({ text, line }: Fault): number | undefined {
  let start = line;
  while (start > 0) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (!/^(?!.*(?::\s|\s#)) *[^\s#]/u.test(text.slice(above, start))) break;
    start = above;
  }
  return endOf(/^ */u, text, start);
}

// js-yaml doesn't say where the text up to `end` leaves a quote open.
function openQuote({ text, position: end }: Fault): number | undefined {
  const last = [...lexemesOf(text.slice(0, end))].findLast((lexeme) => !isGap(lexeme));
  const isOpen = last && !last.isText && /^["']/u.test(last.source) && !closed.test(last.source);
  return isOpen ? last.offset : undefined;
}

// The innermost that the text up to `end` leaves open.
function openBracket({ text, position: end }: Fault): number {
  const open: number[] = [];
  for (const { offset, source, isText } of lexemesOf(text.slice(0, end))) {
    if (!isText && /^[[{]$/u.test(source)) open.push(offset);
    if (!isText && /^[\]}]$/u.test(source)) open.pop();
  }
  return open.at(-1) ?? end;
}

const closed = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/su;

type Lexeme = {
  readonly offset: number;
  readonly source: string;
  /** It belongs to a plain text or a block: no character of it is syntax. */
  readonly isText: boolean;
};

// Zero-width, and absent from the text.
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** By the lexer of the package `yaml`, which also takes text that is not valid. */
export function* lexemesOf(text: string): Generator<Lexeme> {
  let offset = 0;
  let isText = false;
  for (const source of new Lexer().lex(text)) {
    if (!isText && marks.has(source)) isText = source === CST.SCALAR;
    else {
      yield { offset, source, isText };
      isText = false;
      offset += source.length;
    }
  }
}

export function isGap({ source, isText }: Lexeme): boolean {
  return !isText && /^(?:\s+|#.*)$/u.test(source);
}
