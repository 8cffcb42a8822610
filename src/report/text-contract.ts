/** Contracts, their changes and problems as lines of text. */

import { type Diagnostic, renamePlace, type SourcePosition } from '../core/diagnostic.ts';
import { count, isPlain, lazyPattern, sanitizeLine } from '../core/text.ts';
import type { Transition } from '../plan/plan.ts';
import type { ChangeReport, ContractReport, Gathering } from './blocks.ts';
import { type Palette, signOf } from './palette.ts';
import { differingLines, inlineLines, type Line, lineSigns, placeText } from './values.ts';

export type TextOptions = {
  readonly palette: Palette;
  /** What the reader can ask for to see all: a flag. Without it nothing is said of how. */
  readonly more?: string | undefined;
  /** The line of a file below its problem, where it can be had. */
  readonly lineOf?: LineOf;
  /** What the reader calls a file. */
  readonly nameOf?: (file: string) => string;
};

/** The text of a line of a file, if it can be had. */
export type LineOf = (place: Pick<SourcePosition, 'file' | 'line'>) => string | undefined;

/**
 * `file:line:column: error: What is wrong. [code]`, the line itself where it can be had, and the
 * hint. Editors find the place.
 */
export function problemLines(
  diagnostic: Diagnostic,
  { palette, lineOf, nameOf = (file) => file }: TextOptions,
): string[] {
  const { code, severity, message, hint } = diagnostic;
  const { source } = renamePlace(diagnostic, nameOf);
  const place = source ? `${sanitizeLine(source.file)}:${source.line}:${source.column}: ` : '';
  const verdict = palette[severity === 'information' ? 'faint' : severity](`${severity}:`);
  return [
    `${place}${verdict} ${sanitizeLine(message)} ${palette.faint(`[${code}]`)}`,
    ...(diagnostic.source && lineOf ? excerptLines(diagnostic.source, lineOf, palette) : []),
    ...(hint === undefined ? [] : [`  ${sanitizeLine(hint)}`]),
  ];
}

/** How much of a long line is shown on either side of the place. */
const reach = 60;

/** The line with a caret under the place; nothing where the line cannot be had. */
function excerptLines(place: SourcePosition, lineOf: LineOf, palette: Palette): string[] {
  const text = lineOf(place);
  if (text === undefined || text.trim() === '') return [];
  const offset = place.column - 1;
  const start = Math.max(0, offset - reach);
  const before = sanitizeLine(text.slice(start, offset).toWellFormed());
  const after = sanitizeLine(text.slice(offset, offset + reach).toWellFormed());
  const margin = String(place.line);
  return [
    palette.faint(`  ${margin} | ${before}${after}`),
    `  ${' '.repeat(margin.length)} ${palette.faint('|')} ${blank(before)}${palette.error('^')}`,
  ];
}

/** As many columns as the text takes: ideographs and their like take two. */
function blank(text: string): string {
  const spaced = isPlain(text) ? text : text.replaceAll(mark(), '').replaceAll(wide(), '  ');
  return spaced.replaceAll(/[^ ]/gu, ' ');
}

const mark = lazyPattern(String.raw`\p{Mark}`, 'gu');
const wide = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]`,
  'gu',
);

/** A screenful of names. */
const mostAlike = 20;

/** A contract, or what contracts have in common once, below their names. */
export function gatheringLines(
  { shown, members }: Gathering,
  { palette, more }: TextOptions,
): string[] {
  const content = contentLines(shown, palette);
  if (members.length === 1) {
    const place = sanitizeLine(placeText(shown.source));
    return [headLine(shown, shown.label, place, palette), ...content];
  }
  const { faint, strong } = palette;
  const rest = members.length - mostAlike;
  const which = `the same in each${more === undefined ? '' : ` (${more} shows each)`}:`;
  return [
    headLine(shown, count(members.length, 'contract', 'contracts'), which, palette),
    ...members.slice(0, mostAlike).map((member) => {
      // Its version, where the others have another, and the line of its first change.
      const own = shown.versions ? [] : versionLines(member, palette);
      const place = placeInFile({ source: member.changes[0]?.source ?? member.source }, palette);
      return `    ${strong(sanitizeLine(member.label))}${own.join('')}${place}`;
    }),
    ...(rest > 0 ? [`    ${faint(`… and ${rest} more`)}`] : []),
    ...content,
  ];
}

/** What is to be done, to what, and where that is. */
function headLine(
  { verdict }: ContractReport,
  label: string,
  place: string,
  palette: Palette,
): string {
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
  const { transition: move, problems, reasons, changes } = contract;
  const { warning, faint } = palette;
  return [
    ...(move ? [`  ${moveText(move, palette)}${placeInFile(move, palette)}`] : []),
    ...blameLines(move ?? {}, palette),
    ...versionLines(contract, palette),
    ...problems.flatMap((problem) => problemLines(problem, { palette })).map((line) => `  ${line}`),
    ...reasons.flatMap(({ message, hint }) => [
      `  ${warning(sanitizeLine(message))}`,
      ...(hint === undefined ? [] : [`  ${faint(sanitizeLine(hint))}`]),
    ]),
    ...changes.filter(isValued).flatMap((change) => changeLines(change, palette)),
  ];
}

function versionLines({ versions }: ContractReport, palette: Palette): string[] {
  if (versions?.expected === undefined) return [];
  const { before, expected } = versions;
  return [`  ${palette.faint(sanitizeLine(`version ${before} → ${expected} (expected)`))}`];
}

/** The file and the line that ask for it, as editors and terminals open them. */
function placeInFile({ source }: Pick<ChangeReport, 'source'>, { faint }: Palette): string {
  return source ? `  ${faint(sanitizeLine(placeText(source)))}` : '';
}

/** Who set the live value, where that is known. */
function blameLines({ blame }: Pick<ChangeReport, 'blame'>, { faint }: Palette): string[] {
  return blame === undefined ? [] : [`      ${faint(sanitizeLine(blame))}`];
}

export function changeSign({ sign, movement }: ChangeReport, palette: Palette): string {
  return movement === undefined ? signOf(sign, palette) : palette.changed('>');
}

const contextLines = 1;
const longestInline = 100;

/** On one line where it fits, else a headline and the lines that differ; and who set it. */
export function changeLines(change: ChangeReport, palette: Palette): string[] {
  const { label, movement, before, after } = change;
  const headline = `  ${changeSign(change, palette)} ${sanitizeLine(label)}`;
  const place = placeInFile(change, palette);
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
    ...blameLines(change, palette),
  ];
}

/** A line of a text, with its sign. */
export function paintLine({ kind, text }: Line, { faint, ...palette }: Palette): string {
  const line = `${lineSigns[kind]} ${sanitizeLine(text)}`;
  if (kind === 'context') return line;
  return kind === 'gap' ? faint(line) : palette[kind](line);
}

/** `» Draft → Active`. */
export function moveText({ from, to }: Transition, palette: Palette): string {
  const [old, young] = [from, to].map((status) => sanitizeLine(status ?? 'no status'));
  return `${palette.changed('»')} ${palette.strong(`${old} → ${young}`)}`;
}

/** A change of status has a line of its own, without values. */
export function isValued({ isStatus }: ChangeReport): boolean {
  return !isStatus;
}
