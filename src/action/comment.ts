import { formatBody, markTitle, parseBody, withNote } from './comment-body.ts';
import { parseHeader, type CommentHeader } from './comment-header.ts';
import type { GitHub } from './github.ts';
import type { Comment } from './github-query.ts';

/** The one comment that a pull request has of us. */
export type OwnComment = {
  readonly header: CommentHeader;
  readonly markdown: string;
  /** Where the repository can be seen. */
  readonly repository: string;
};

/** What became of it; `newer`: a later run has written it, so it was left alone. */
export type CommentResult = 'created' | 'updated' | 'unchanged' | 'newer' | 'needless';

export type CommentOptions = {
  readonly mode: 'update' | 'recreate';
  /** Whether it is worth a new comment, or only the update of one that is there. */
  readonly worthCreating: boolean;
  /** None was there a while ago: one that has come since is found once ours is created. */
  readonly isNew: boolean;
};

/** Brings the pull request's comment up to date: one comment, in place. */
export async function putComment(
  github: GitHub,
  pull: number,
  comment: OwnComment,
  { mode, worthCreating, isNew }: CommentOptions,
): Promise<CommentResult> {
  const body = bodyOf(comment);
  const existing =
    isNew && worthCreating ? [] : await findComments(github, pull, comment.header.key);
  if (existing.some(({ header }) => isNewer(header, comment.header))) return 'newer';
  const [oldest, ...extra] = existing;
  if (!oldest && !worthCreating) return 'needless';
  if (oldest && mode === 'update') {
    await remove(github, extra);
    if (!oldest.isEdited && saysTheSame(oldest, comment)) return 'unchanged';
    await github.updateComment(oldest.id, body);
    return 'updated';
  }
  const created = await github.createComment(pull, body);
  await remove(github, existing);
  return keepOldest(github, pull, created, comment);
}

function bodyOf({ header, markdown, repository }: OwnComment): string {
  return formatBody({ header, notes: [], page: markdown }, repository);
}

/** What a later run changes of a comment, whose plan stays as it was reviewed. */
export type CommentChange = {
  readonly header: CommentHeader;
  /** A line more. */
  readonly note?: string;
  /** The run that has changed a contract of an open pull request. */
  readonly stale?: string;
};

export async function rewriteComment(
  github: GitHub,
  { id, body }: Comment,
  repository: string,
  { header, note, stale }: CommentChange,
): Promise<void> {
  const { notes, page } = parseBody(body);
  const rewritten = formatBody(
    {
      header,
      notes: note === undefined ? notes : withNote(notes, note),
      page: stale === undefined ? page : markTitle(page, stale),
    },
    repository,
  );
  if (rewritten !== body) await github.updateComment(id, rewritten);
}

/**
 * Adds to what the comment says of its plan. False where there is no comment, or none that is all
 * ours.
 */
export async function addNote(
  github: GitHub,
  pull: number,
  {
    key,
    repository,
    note,
  }: { readonly key: string; readonly repository: string; readonly note: string },
): Promise<boolean> {
  const [comment] = await findComments(github, pull, key);
  if (!comment || comment.isEdited) return false;
  await rewriteComment(github, comment, repository, { header: comment.header, note });
  return true;
}

export type FoundComment = Comment & { readonly header: CommentHeader };

/** Ours for this catalog and these files, the oldest first. */
export async function findComments(
  github: GitHub,
  pull: number,
  key: string,
): Promise<FoundComment[]> {
  return withHeader(await github.comments(pull)).filter(({ header }) => header.key === key);
}

/** The oldest of a list of ours that is wanted. */
export function findComment(
  comments: readonly Comment[],
  isWanted: (header: CommentHeader) => boolean,
): FoundComment | undefined {
  return withHeader(comments).find(({ header }) => isWanted(header));
}

/** By our own author and with our header at the start: what others quote of it is not ours. */
function withHeader(comments: readonly Comment[]): FoundComment[] {
  return comments.flatMap((comment) => {
    const header = parseHeader(comment.body);
    return header ? [{ ...comment, header }] : [];
  });
}

function isNewer(theirs: CommentHeader, ours: CommentHeader): boolean {
  return theirs.run > ours.run || (theirs.run === ours.run && theirs.attempt > ours.attempt);
}

/** Run, attempt and time apart: for them alone nobody is to see `edited`. */
function saysTheSame(old: FoundComment, comment: OwnComment): boolean {
  const { run, attempt, time } = old.header;
  const body = bodyOf({ ...comment, header: { ...comment.header, run, attempt, time } });
  return body.trim() === old.body.replaceAll('\r\n', '\n').trim();
}

async function remove(github: GitHub, comments: readonly Pick<Comment, 'id'>[]): Promise<void> {
  for (const { id } of comments) await github.deleteComment(id);
}

/** Two runs may create one at the same time: the oldest stays, and says what the later run says. */
async function keepOldest(
  github: GitHub,
  pull: number,
  created: Pick<Comment, 'id'>,
  comment: OwnComment,
): Promise<CommentResult> {
  const [oldest] = await findComments(github, pull, comment.header.key);
  if (!oldest || oldest.id === created.id) return 'created';
  await github.deleteComment(created.id);
  if (isNewer(oldest.header, comment.header)) return 'newer';
  await github.updateComment(oldest.id, bodyOf(comment));
  return 'updated';
}
