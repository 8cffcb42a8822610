/** A contract's history for programs, as `schemas/history.schema.json` describes it. */

import type { Diagnostic } from '../core/diagnostic.ts';
import type { Chapter, Story } from '../history/story.ts';
import { formatDocument } from './json.ts';
import { failureOf } from './model/failure.ts';

/** Ends with a line break. */
export function renderStoryJson(story: Story): string {
  const { chapters, older, unrecorded, ...contract } = story;
  const versions = chapters.map(describe);
  const unknown = unrecorded.length > 0 ? { unrecorded } : {};
  return formatDocument({
    formatVersion,
    ...contract,
    versions,
    older,
    ...unknown,
    diagnostics: [],
  });
}

/** What is written where there is no history to tell. */
export function renderStoryFailure(diagnostics: readonly Diagnostic[]): string {
  return formatDocument({
    formatVersion,
    versions: [],
    older: 0,
    ...failureOf(diagnostics),
    diagnostics,
  });
}

const formatVersion = '1.0';

function describe({ version, provenance, changes, isFirst }: Chapter) {
  const { updatedAt, user, mayHoldMore, numbering } = version;
  return {
    ...(version.version !== undefined && { version: version.version }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(user !== undefined && { user }),
    provenance,
    isFirstKnown: isFirst,
    mayHoldMore,
    ...(numbering && { numbering }),
    changes,
  };
}
