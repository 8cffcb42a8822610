import { count, sanitizeLine } from '../../core/text.ts';
import type { Gathering } from '../model/alike.ts';
import type { ContractReport } from '../model/contracts.ts';
import { placeText } from '../place.ts';
import { blameLines, changeLines, indented, placeInFile } from './change.ts';
import type { Palette } from './palette.ts';
import { diagnosticLines } from './problems.ts';

/** What contracts have in common once, below their names. */
export function gatheringLines(
  { shown, members }: Gathering,
  { palette, more }: { readonly palette: Palette; readonly more?: string },
): string[] {
  const [contract, ...others] = members;
  if (contract && others.length === 0) return contractLines(contract, palette);
  const { faint } = palette;
  const rest = members.length - mostAlike;
  const named = members.slice(0, mostAlike).map((each) => memberLine(each, shown, palette));
  return [
    headLine(shown, count(members.length, 'contract', 'contracts'), sameInEach(more), palette),
    ...named,
    ...(rest > 0 ? [`    ${faint(`… and ${rest} more`)}`] : []),
    ...contentLines(shown, palette),
  ];
}

function sameInEach(more: string | undefined): string {
  return `the same in each${more === undefined ? '' : ` (${more} shows each)`}:`;
}

/** A screenful of names. */
const mostAlike = 20;

/** Its name, its version where the others have another, and the line of its first change. */
function memberLine(member: ContractReport, shown: ContractReport, palette: Palette): string {
  const { label, source, changes } = member;
  const own = shown.versions ? [] : versionLines(member, palette);
  const place = placeInFile({ source: changes[0]?.source ?? source }, palette);
  return `    ${palette.strong(sanitizeLine(label))}${own.join('')}${place}`;
}

/** A contract with all that is said of it. */
export function contractLines(contract: ContractReport, palette: Palette): string[] {
  const { label, source } = contract;
  const place = sanitizeLine(placeText(source));
  return [headLine(contract, label, place, palette), ...contentLines(contract, palette)];
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

function contentLines(contract: ContractReport, palette: Palette): string[] {
  const { problems, reasons, fields } = contract;
  const { warning, faint } = palette;
  return [
    ...transitionLines(contract, palette),
    ...versionLines(contract, palette),
    ...problems.flatMap((problem) => indented(diagnosticLines(problem, palette))),
    ...reasons.flatMap(({ message, hint }) => [
      `  ${warning(sanitizeLine(message))}`,
      ...(hint === undefined ? [] : [`  ${faint(sanitizeLine(hint))}`]),
    ]),
    ...fields.flatMap(({ changes }) => changes.flatMap((change) => changeLines(change, palette))),
  ];
}

const verdictSigns = {
  create: ['added', '+'],
  update: ['changed', '~'],
  blocked: ['error', '!'],
  missing: ['warning', '?'],
  unchanged: ['faint', '='],
} as const;

function transitionLines({ transition }: ContractReport, palette: Palette): string[] {
  if (!transition) return [];
  const [from, to] = [transition.from, transition.to].map((status) =>
    status === null ? 'no status' : sanitizeLine(status),
  );
  const move = palette.strong(`${from} → ${to}`);
  return [
    `  ${palette.changed('»')} ${move}${placeInFile(transition, palette)}`,
    ...blameLines(transition, palette),
  ];
}

function versionLines({ versions }: ContractReport, palette: Palette): string[] {
  if (versions?.expected === undefined) return [];
  const { before, expected } = versions;
  return [`  ${palette.faint(sanitizeLine(`version ${before} → ${expected} (expected)`))}`];
}
