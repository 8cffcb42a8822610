import { code, prose } from '../report/markdown/text.ts';
import { formatHeader, type CommentHeader } from './comment-header.ts';

/** The text of a comment in its parts. */
export type CommentBody = {
  readonly header: CommentHeader;
  /** What later runs have to say of the plan: Markdown, a list item or a quote each. */
  readonly notes: readonly string[];
  /** The plan as it is reviewed. */
  readonly page: string;
};

/** The header, what it is about, the notes, the plan. */
export function formatBody({ header, notes, page }: CommentBody, repository: string): string {
  const top = [formatHeader(header), aboutLine(header, repository)];
  const room = notes.length === 0 ? [] : ['', ...notes];
  return [...top, ...room, '', page].join('\n');
}

/** What stands between the header and the plan, and the plan, which starts with the first title. */
export function parseBody(body: string): Pick<CommentBody, 'notes' | 'page'> {
  const [, , ...lines] = body.split(/\r?\n/u);
  const start = lines.findIndex((line) => line.startsWith('## '));
  const end = start < 0 ? lines.length : start;
  const notes = lines.slice(0, end).join('\n').trim();
  return {
    notes: notes === '' ? [] : notes.split(/\n(?=- |> \[)/u),
    page: lines.slice(end).join('\n'),
  };
}

function aboutLine({ label, head, run, time }: CommentHeader, repository: string): string {
  const parts = [
    `**${prose(label)}**`,
    `commit ${code(head.slice(0, 7))}`,
    `[run ${run}](${repository}/actions/runs/${run})`,
    `${time.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return parts.join(' · ');
}

/** UTF-16 code units: with a page of 60,000 bytes, within what GitHub takes. */
const mostNotes = 5000;

/** One note more; of too many the oldest go. A note of the same kind of trouble is replaced. */
export function withNote(notes: readonly string[], note: string): string[] {
  const kept = notes.filter((old) => !old.startsWith('> '));
  const all = [...kept, note];
  while (all.length > 1 && all.join('\n').length > mostNotes) all.shift();
  return all;
}

const staleMark = / · \[stale\]\(\S+\)$/u;

/** The page with one word more in its title: a contract that it shows was changed by a run. */
export function markTitle(page: string, run: string): string {
  const [title = '', ...lines] = page.split('\n');
  return [`${title.replace(staleMark, '')} · [stale](${run})`, ...lines].join('\n');
}
