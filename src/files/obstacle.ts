import type { Diagnostic } from '../core/diagnostic.ts';

/** A file, folder or link that could not be read; `file` is relative to the root. */
export type Obstacle = { readonly file: string; readonly kind: ObstacleKind };

type ObstacleKind =
  | 'link-outside-root'
  | 'link-loop'
  | 'not-found'
  | 'file-too-large'
  | 'not-readable';

/** What a failed call of the file system stands for. */
export function obstacleOf(file: string, error: unknown): Obstacle {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ELOOP') return { file, kind: 'link-loop' };
  return { file, kind: nothingThere.has(code) ? 'not-found' : 'not-readable' };
}

// A file in the place of a folder, a name too long for a file, a NUL in a name.
const nothingThere: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
]);

/** Bytes of the largest file that is read. */
export const largestFile = 1_048_576;

const sentences: {
  readonly [kind in ObstacleKind]: { readonly message: string; readonly hint: string };
} = {
  'link-outside-root': {
    message: 'This symbolic link leads out of the folder that contracts are read from.',
    hint: 'Copy what it points to, or leave the link out with `contracts.exclude`.',
  },
  'link-loop': {
    message: 'This symbolic link leads back to itself or to a folder that it stands in.',
    hint: 'Remove the link, or leave it out with `contracts.exclude`.',
  },
  'not-found': {
    message: 'There is no such file, or it is a symbolic link to nothing.',
    hint: 'Correct the path, or remove the link.',
  },
  'file-too-large': {
    message: `The file is larger than ${largestFile} bytes, which no contract needs.`,
    hint: 'Split it, or leave it out with `contracts.exclude`.',
  },
  'not-readable': {
    message: 'This could not be read.',
    hint: 'Check its permissions.',
  },
};

export function obstacleDiagnostic({ file, kind }: Obstacle): Diagnostic {
  return {
    code: kind,
    severity: 'error',
    ...sentences[kind],
    source: { file, line: 1, column: 1 },
  };
}
