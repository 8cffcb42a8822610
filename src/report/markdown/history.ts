import type { Story } from '../../history/story.ts';
import { differenceText } from '../values.ts';
import { type ChapterReport, describeChapters, storyEnd, type Times } from '../model/history.ts';
import { moveText } from './contract.ts';
import { code, fence, prose, table } from './text.ts';

type StoryMarkdownOptions = Times & { readonly full: boolean };

/** A contract's history as a table, newest first, and its changes below where they are wanted. */
export function renderStoryMarkdown(story: Story, options: StoryMarkdownOptions): string {
  const { contract, place } = story;
  const chapters = describeChapters(story, options);
  const rows = chapters.map((chapter) => [
    code(chapter.version),
    prose(chapter.time),
    code(chapter.user),
    prose(chapter.source),
    changesText(chapter),
  ]);
  const blocks = [
    `### ${code(contract)}${place === undefined ? '' : ` ${code(place)}`}`,
    table(['Version', 'When', 'Who', 'From', 'Changes'], rows),
    ...(options.full || place !== undefined ? fullBlocks(story) : []),
    ...storyEnd(story).map(prose),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function changesText({ transition, changes, remarks, nothing }: ChapterReport): string {
  const words = [
    ...(transition ? [moveText(transition)] : []),
    ...changes.map(({ label, sign }) => `${code(label)} ${sign}`),
    ...remarks.map(prose),
  ];
  return words.length === 0 ? prose(nothing) : words.join(', ');
}

function fullBlocks({ chapters }: Story): string[] {
  return chapters
    .filter(({ changes }) => changes.length > 0)
    .map(({ version, changes }) => {
      const lines = changes.map(({ path, before, after }) =>
        differenceText({
          place: path,
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
        }),
      );
      return `${code(version.version ?? '?')}\n\n${fence('text', lines)}`;
    });
}
