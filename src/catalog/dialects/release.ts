import type { Diagnostic } from '../../core/diagnostic.ts';
import { isObject, type JsonValue } from '../../core/json.ts';

/** What a server says of its release (`GET /v1/system/version`). */
export type ServerRelease =
  | { readonly kind: 'openmetadata'; readonly version: string }
  /** OpenMetadata of a release before those that are known. */
  | { readonly kind: 'unsupported'; readonly version: string }
  /** An answer that is no release of OpenMetadata. */
  | { readonly kind: 'other' }
  | { readonly kind: 'unread'; readonly why: string };

/** `{"version": "1.12.6", "revision": "…", …}`: other servers have a version, too. */
export function parseServerRelease(answer: JsonValue): ServerRelease {
  const { version, revision } = isObject(answer) ? answer : {};
  if (typeof version !== 'string' || typeof revision !== 'string' || revision === '')
    return { kind: 'other' };
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})(?:[.\-+][\w.\-+]{0,40})?$/u.exec(version) ?? [];
  if (major === undefined || minor === undefined) return { kind: 'other' };
  const isKnown = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 10);
  return { kind: isKnown ? 'openmetadata' : 'unsupported', version };
}

/** A release whose statuses and defaults are not known is no evidence of any kind. */
export function tellUnsupported(release: ServerRelease): Diagnostic[] {
  if (release.kind !== 'unsupported') return [];
  return [
    {
      code: 'release-unsupported',
      severity: 'warning',
      message: `The server says it is OpenMetadata ${release.version}; contract-sync knows releases from 1.10 on.`,
      hint: 'Upgrade it. Until then its release does not count as evidence of what it does: a contract whose patch depends on that is blocked, unless `catalog.dialect` is set.',
    },
  ];
}
