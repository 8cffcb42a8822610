import { type Diagnostic, renamePlace, type SourcePosition } from '../core/diagnostic.ts';
import { count, sanitizeLine } from '../core/text.ts';
import type { Transition } from '../plan/plan.ts';
import {
  type ChangeReport,
  type ContractReport,
  differingLines,
  type Gathering,
  inlineLines,
  type Line,
  lineSigns,
  type Paint,
  type Palette,
  type Phrase,
  placeText,
  signOf,
  type Words,
} from './blocks.ts';
import { gatherHints, messageOf } from './problems.ts';

export type TextOptions = {
  readonly palette: Palette;
  readonly width?: number | undefined;
  readonly more?: string | undefined;
  readonly lineOf?: LineOf;
  readonly nameOf?: (file: string) => string;
};

/** Undefined where the line can't be read. */
export type LineOf = (place: SourcePosition) => string | undefined;

/**
 * `file:line:column: error: What is wrong. [code]`, which editors link to the place, then the line
 * itself and the hint.
 */
export function problemLines(
  diagnostic: Diagnostic,
  { palette, lineOf, nameOf = (file) => file }: TextOptions,
): string[] {
  const { code, severity, hint } = diagnostic;
  const { source } = renamePlace(diagnostic, nameOf);
  const place = source ? `${sanitizeLine(source.file)}:${source.line}:${source.column}: ` : '';
  const verdict = palette[severity === 'information' ? 'faint' : severity](`${severity}:`);
  const excerpt =
    diagnostic.source && lineOf ? excerptLines(diagnostic.source, lineOf, palette) : [];
  return [
    `${place}${verdict} ${sanitizeLine(messageOf(diagnostic))} ${palette.faint(`[${code}]`)}`,
    ...excerpt,
    ...(hint === undefined ? [] : [`  ${sanitizeLine(hint)}`]),
  ];
}

export function problemParagraphs(problems: readonly Diagnostic[], options: TextOptions) {
  return gatherHints(problems).map((problem) => problemLines(problem, options));
}

// Characters of a long line on either side of the place: both fit 80 columns.
const reach = 34;

function excerptLines(place: SourcePosition, lineOf: LineOf, palette: Palette): string[] {
  const text = lineOf(place);
  if (text === undefined || text.trim() === '') return [];
  const margin = `  ${place.line} | `;
  const offset = place.column - 1;
  const start = Math.max(0, offset - reach);
  const before = sanitizeLine(text.slice(start, offset).toWellFormed());
  const after = sanitizeLine(text.slice(offset, offset + reach).toWellFormed());
  const bar = ' '.repeat(margin.length - 2) + palette.faint('|');
  return [
    palette.faint(`${margin}${before}${after}`),
    `${bar} ${' '.repeat(before.length)}${palette.error('^')}`,
  ];
}

const mostAlike = 20;

export function gatheringLines({ shown, members }: Gathering, options: TextOptions) {
  const { palette, more, width } = options;
  const content = contentLines(shown, palette);
  if (members.length === 1) {
    const place = sanitizeLine(placeText(shown.source));
    return [headLine(shown, shown.label, place, palette), ...content];
  }
  const { faint, strong } = palette;
  const rest = members.slice(mostAlike).map(({ label }) => sanitizeLine(label));
  // A log has room for one long line.
  const names = width === undefined ? `: ${rest.join(', ')}` : '';
  const which = `the same in each${more === undefined ? '' : ` (${more} shows each)`}:`;
  return [
    headLine(shown, count(members.length, 'contract', 'contracts'), which, palette),
    ...members.slice(0, mostAlike).map((member) => {
      const own = shown.versions ? [] : versionLines(member, palette);
      const place = placeInFile(member.changes[0]?.source ?? member.source, palette);
      return `    ${strong(sanitizeLine(member.label))}${own.join('')}${place}`;
    }),
    ...(rest.length > 0 ? [`    ${faint(`… and ${rest.length} more${names}`)}`] : []),
    ...content,
  ];
}

function headLine({ verdict }: ContractReport, label: string, place: string, palette: Palette) {
  const [colour, sign] = verdictSigns[verdict];
  const word = verdict === 'blocked' ? `  ${palette.error(verdict)}` : '';
  const name = palette.strong(sanitizeLine(label));
  return `${palette[colour](sign)} ${name}${word}  ${palette.faint(place)}`;
}

const verdictSigns = {
  create: ['added', '+'],
  update: ['changed', '~'],
  blocked: ['error', '!'],
  missing: ['warning', '?'],
  unchanged: ['faint', '='],
} as const;

function contentLines(contract: ContractReport, palette: Palette): string[] {
  const { transition: move, problems, reasons, changes, downstream, sent } = contract;
  const { warning, faint } = palette;
  return [
    ...(move ? [`  ${moveText(move, palette)}${placeInFile(move.source, palette)}`] : []),
    ...blameLines(move?.blame, palette),
    ...versionLines(contract, palette),
    ...problemParagraphs(problems, { palette })
      .flat()
      .map((line) => `  ${line}`),
    ...(downstream ? [`  ${wordsText(downstream, palette)}`] : []),
    ...reasons.flatMap(({ message, hint }) => [
      `  ${warning(sanitizeLine(message))}`,
      ...(hint === undefined ? [] : [`  ${faint(sanitizeLine(hint))}`]),
    ]),
    ...changes.flatMap((change) => changeLines(change, palette)),
    ...(sent ? [`  ${faint(`${sent.kind}:`)}`] : []),
    ...(sent?.values ?? []).map((value) => `    ${sanitizeLine(JSON.stringify(value))}`),
  ];
}

function versionLines({ versions }: ContractReport, palette: Palette): string[] {
  if (versions?.expected === undefined) return [];
  const { before, expected } = versions;
  return [`  ${palette.faint(sanitizeLine(`version ${before} → ${expected} (expected)`))}`];
}

function placeInFile(source: SourcePosition | undefined, { faint }: Palette): string {
  return source ? `  ${faint(sanitizeLine(placeText(source)))}` : '';
}

function blameLines(blame: string | undefined, { faint }: Palette): string[] {
  return blame === undefined ? [] : [`      ${faint(sanitizeLine(blame))}`];
}

function changeSign({ sign, movement }: ChangeReport, palette: Palette): string {
  return movement === undefined ? signOf(sign, palette) : palette.changed('>');
}

const contextLines = 1;
const longestInline = 100;

export function changeLines(change: ChangeReport, palette: Palette): string[] {
  const { label, movement, before, after } = change;
  const headline = `  ${changeSign(change, palette)} ${sanitizeLine(label)}`;
  const place = placeInFile(change.source, palette);
  const sides =
    movement === undefined
      ? inlineLines(change, longestInline)?.map(({ kind, text }) =>
          palette[kind](sanitizeLine(text)),
        )
      : [palette.faint(sanitizeLine(movement))];
  const lines = sides ? [] : differingLines(before, after, contextLines);
  return [
    `${headline}${sides ? `  ${sides.join(' → ')}` : ''}${place}`,
    ...lines.map((line) => `      ${paintLine(line, palette)}`),
    ...blameLines(change.blame, palette),
  ];
}

export function paintLine({ kind, text }: Line, { faint, ...palette }: Palette): string {
  const line = `${lineSigns[kind]} ${sanitizeLine(text)}`;
  if (kind === 'context') return line;
  return kind === 'gap' ? faint(line) : palette[kind](line);
}

function moveText({ from, to }: Transition, palette: Palette): string {
  const words = [from, to].map((status) => sanitizeLine(status ?? 'no status')).join(' → ');
  return `${palette.changed('»')} ${palette.strong(words)}`;
}

export function wordsText(words: Words, palette: Palette, paint: Paint = (text) => text): string {
  return words.map((phrase) => phraseText(phrase, palette, paint)).join('');
}

const mostChanges = 5;

function phraseText(phrase: Phrase, palette: Palette, paint: Paint): string {
  if (typeof phrase === 'string') return paint(sanitizeLine(phrase));
  if ('contracts' in phrase) return paint(count(phrase.contracts.length, 'contract', 'contracts'));
  if ('move' in phrase) return moveText(phrase.move, palette);
  if ('changes' in phrase) {
    const rest = phrase.changes.length - mostChanges;
    return [
      ...phrase.changes
        .slice(0, mostChanges)
        .map((change) => `${changeSign(change, palette)} ${sanitizeLine(change.label)}`),
      ...(rest > 0 ? [palette.faint(`… and ${rest} more`)] : []),
    ].join(', ');
  }
  const text = sanitizeLine(phrase.text);
  switch (phrase.as) {
    case 'own':
    case 'code':
    case 'contract':
    case 'sentence':
      return paint(text);
    default:
      return palette[phrase.as === 'hint' ? 'faint' : phrase.as](text);
  }
}
