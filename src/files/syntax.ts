import type { Document, ErrorCode, YAMLError } from 'yaml';
import type { Finding } from './finding.ts';

type Sentence = { readonly code: string; readonly message: string; readonly hint?: string };

/** Our sentences for what people run into; for the rest the package's own message will do. */
const sentences: { readonly [code in ErrorCode]?: Sentence } = {
  TAB_AS_INDENT: {
    code: 'tab-indentation',
    message: 'A tab indents this line, and YAML allows only spaces there.',
    hint: 'Replace the tab by spaces.',
  },
  BAD_INDENT: {
    code: 'yaml-indentation',
    message: 'This line does not line up with the lines that it belongs to.',
    hint: 'Indent all keys of a mapping, and all items of a list, by the same number of spaces.',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'yaml-syntax',
    message: 'This key spans several lines; perhaps a colon or a closing quote is missing.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: 'yaml-syntax',
    message: 'A value on this line holds a colon and a space, so it reads as a mapping of its own.',
    hint: 'Quote the value.',
  },
  TAG_RESOLVE_FAILED: {
    code: 'unknown-tag',
    message: 'This tag has no meaning in a contract.',
    hint: 'Remove the tag: a contract holds text, numbers, booleans, null, lists and mappings.',
  },
};

// Not syntax errors for the package, but a contract would come out different from what it says.
const fatalWarnings: ReadonlySet<ErrorCode> = new Set(['TAG_RESOLVE_FAILED']);

/** The syntax errors and warnings of a parsed document. */
export function syntaxFindings(document: Document.Parsed): Finding[] {
  return [
    ...document.errors.map((error) => toFinding(error, 'error')),
    ...document.warnings.map((warning) =>
      toFinding(warning, fatalWarnings.has(warning.code) ? 'error' : 'warning'),
    ),
  ];
}

function toFinding(problem: YAMLError, severity: Finding['severity']): Finding {
  const sentence = sentences[problem.code] ?? {
    code: 'yaml-syntax',
    message: `This is not valid YAML: ${firstLine(problem.message)}.`,
  };
  return { ...sentence, severity, offset: problem.pos[0] };
}

const longestMessage = 160;

/** The package quotes the file in some messages, at any length. */
function firstLine(message: string): string {
  const line = message.split(/[\r\n]/u, 1)[0] ?? '';
  return line.slice(0, longestMessage).toWellFormed();
}
