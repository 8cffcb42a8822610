import { sanitizeLine } from '../../core/text.ts';
import type { Story } from '../../history/story.ts';
import type { ChangeReport } from '../model/change.ts';
import { type ChapterReport, describeChapters, storyEnd, type Times } from '../model/history.ts';
import { changeLines, indented } from './change.ts';
import { type Palette, signOf } from './palette.ts';

type StoryTextOptions = Times & {
  readonly palette: Palette;
  /** Whether each change is shown with its values. */
  readonly full: boolean;
};

/** A contract's history, newest first; ends with a line break. */
export function renderStoryText(story: Story, options: StoryTextOptions): string {
  const { palette } = options;
  const chapters = describeChapters(story, options);
  const widths = (['version', 'time', 'user'] as const).map((column) =>
    Math.max(0, ...chapters.map((chapter) => sanitizeLine(chapter[column]).length)),
  );
  const isFull = options.full || story.place !== undefined;
  const lines = [
    headline(story, palette),
    '',
    ...chapters.flatMap((chapter) => [
      versionLine(chapter, widths, palette),
      ...contentLines(chapter, isFull, palette),
    ]),
    ...(chapters.length === 0 ? [nothing(story)] : []),
    ...storyEnd(story).map((line) => palette.faint(line)),
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ contract, file, place }: Story, { strong, faint }: Palette): string {
  const of = place === undefined ? '' : ` ${strong(sanitizeLine(place))}`;
  return `${strong(sanitizeLine(contract))}${of}${file === undefined ? '' : `  ${faint(sanitizeLine(file))}`}`;
}

function nothing({ place, older }: Story): string {
  if (older > 0) return 'No version since then.';
  return place === undefined ? 'No versions found.' : 'No known version changed it.';
}

function versionLine(
  { version, time, user, source }: ChapterReport,
  widths: readonly number[],
  { strong, faint }: Palette,
): string {
  const [number = '', when = '', who = ''] = [version, time, user].map((text, index) =>
    sanitizeLine(text).padEnd(widths[index] ?? 0),
  );
  return `${strong(number)}  ${when}  ${who}  ${faint(sanitizeLine(source))}`.trimEnd();
}

function contentLines(chapter: ChapterReport, isFull: boolean, palette: Palette): string[] {
  const { transition, changes, remarks, nothing: words } = chapter;
  const isEmpty = !transition && changes.length === 0;
  const move = transition
    ? [`${palette.changed('»')} ${palette.strong(moveWords(transition))}`]
    : [];
  const shown = isFull ? move : [[...move, ...briefly(changes, palette)].join(', ')];
  return [
    ...remarks.map((remark) => `    ${palette.faint(remark)}`),
    ...(isEmpty ? [`    ${palette.faint(words)}`] : shown.map((line) => `    ${line}`)),
    ...(isFull ? changes.flatMap((change) => indented(changeLines(change, palette))) : []),
  ];
}

function moveWords({ from, to }: NonNullable<ChapterReport['transition']>): string {
  return `${sanitizeLine(from ?? 'no status')} → ${sanitizeLine(to ?? 'no status')}`;
}

/** Enough to recognise a version by. */
const mostLabels = 5;

function briefly(changes: readonly ChangeReport[], palette: Palette): string[] {
  const rest = changes.length - mostLabels;
  return [
    ...changes.slice(0, mostLabels).map(({ sign, label, movement }) => {
      const symbol = movement === undefined ? signOf(sign, palette) : palette.changed('>');
      return `${symbol} ${sanitizeLine(label)}`;
    }),
    ...(rest > 0 ? [palette.faint(`… and ${rest} more`)] : []),
  ];
}
