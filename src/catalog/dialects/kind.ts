/** Which kind of catalog it is, as far as all that was read of it tells. */

import type { Diagnostic } from '../../core/diagnostic.ts';
import { chooseDialect, type DialectSetting, possibleDialects } from './choose.ts';
import type { Dialect } from './dialect.ts';
import { type ServerRelease, tellUnsupported } from './release.ts';

export type Kind = {
  /** The dialect to use with the catalog; `auto` where its kind is not known. */
  readonly dialect: Dialect;
  /** The dialects that the catalog may speak: one where its kind is known, else all of them. */
  readonly possible: readonly [Dialect, ...Dialect[]];
  /** The release of its server. */
  readonly release?: string;
  /** What tells the kind, or why it is not known: a sentence without its full stop. */
  readonly evidence: string;
  /** A warning where its release is too old. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it is known that the catalog has a status that this kind has. */
  readonly hasStatus: (status: string) => boolean;
};

/** Statuses that one kind has and the other has not. */
const ofOpenMetadata = ['Approved', 'In Review', 'Unprocessed', 'Rejected', 'Archived'];
const ofStandard = ['Active'];

/**
 * The kind that is set, or else the one that all evidence names: the release of the server, and the
 * statuses of contracts that were read. Names tell nothing: any catalog may have such names.
 */
export function kindOf(
  setting: DialectSetting,
  seen: ReadonlySet<string | undefined>,
  release: ServerRelease = { kind: 'other' },
): Kind {
  const told = 'version' in release && { release: release.version };
  const decide = (dialect: Dialect['name'], evidence: string): Kind => ({
    dialect: chooseDialect(dialect),
    possible: possibleDialects(dialect),
    ...told,
    evidence,
    diagnostics: tellUnsupported(release),
    // A status speaks for itself, and not for the others of its kind; a release for all of them.
    hasStatus: (status) =>
      setting !== 'auto' ||
      release.kind === 'openmetadata' ||
      seen.has(status) ||
      !ofOpenMetadata.includes(status),
  });
  const { server, pro, contra } = weigh(seen, release);
  if (setting !== 'auto') {
    const says = 'the configuration says so';
    return decide(setting, server === undefined ? says : `${says}; ${server}`);
  }
  if (pro !== '' && contra !== '') return decide('auto', `${pro}, but ${contra}`);
  if (pro !== '') return decide('openmetadata', pro);
  if (contra !== '') return decide('standard', contra);
  return decide('auto', `${server ?? silence(release)}, and ${noStatus}`);
}

/** What speaks for OpenMetadata and what against it; nothing is an empty text. */
function weigh(seen: ReadonlySet<string | undefined>, release: ServerRelease) {
  const server = 'version' in release ? `its server is OpenMetadata ${release.version}` : undefined;
  const told = server !== undefined && release.kind === 'openmetadata' ? [server] : [];
  return {
    server,
    pro: [...told, ...saidBy(ofOpenMetadata, seen)].join(' and '),
    contra: saidBy(ofStandard, seen).join(''),
  };
}

function saidBy(telling: readonly string[], seen: ReadonlySet<string | undefined>): string[] {
  const statuses = telling.filter((status) => seen.has(status));
  return statuses.length === 0 ? [] : [`it has contracts that are ${statuses.join(', ')}`];
}

const noStatus = 'no contract has a status that only one kind of catalog has';

function silence(release: ServerRelease): string {
  return release.kind === 'unread'
    ? `the release of its server can't be read (${release.why})`
    : 'its server names no release of OpenMetadata';
}
