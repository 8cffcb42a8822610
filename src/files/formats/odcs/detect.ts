import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { quote } from '../../../core/text.ts';
import type { PointerDiagnostic } from '../../read/document.ts';

type DetectedFormat =
  | { readonly format: 'native' }
  | { readonly format: 'odcs' | 'foreign'; readonly diagnostics: readonly PointerDiagnostic[] };

/** Native files have neither `kind` nor `apiVersion`. */
export function detectFormat(document: JsonValue): DetectedFormat {
  if (!isObject(document)) return { format: 'native' };
  const text = versionText(document['apiVersion']);
  if (document['kind'] === 'DataContract') {
    const version = parseOdcsVersion(text);
    if (version?.major !== 3) return foreign(unsupported(text, version));
    const isNewer = version.minor > 2 || (version.minor === 2 && version.patch > 0);
    if (!isNewer) return { format: 'odcs', diagnostics: [] };
    const message = `ODCS ${text} is newer than v3.2.0, the newest supported: read as v3.2.0.`;
    const newer = { code: 'odcs-version-newer', severity: 'warning', message } as const;
    const hint = 'Upgrade contract-sync.';
    return { format: 'odcs', diagnostics: [{ ...newer, hint, pointer: ['apiVersion'] }] };
  }
  if (document['kind'] === 'DataProduct') {
    const message = 'This is a data product (ODPS), not a data contract: left out.';
    const severity = 'information';
    return foreign({ code: 'not-a-contract', severity, message, pointer: ['kind'] });
  }
  if (Object.hasOwn(document, 'dataContractSpecification')) return foreign(specification);
  // A version of three numbers; Kubernetes writes `apps/v1`.
  const isVersioned = /^v?[23]\.\d+\.\d+/u.test(text);
  return isVersioned ? foreign(unknownKind(document)) : { format: 'native' };
}

export function parseOdcsVersion(apiVersion: JsonValue | undefined) {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?![\d.])/u.exec(versionText(apiVersion));
  if (!match) return undefined;
  const [, major, minor, patch = 0] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

// Unquoted, `3.1` is a number.
function versionText(apiVersion: JsonValue | undefined): string {
  return typeof apiVersion === 'string' || typeof apiVersion === 'number'
    ? String(apiVersion).trim()
    : '';
}

function foreign(diagnostic: PointerDiagnostic): DetectedFormat {
  return { format: 'foreign', diagnostics: [diagnostic] };
}

const leaveOut = 'add the file to `contracts.exclude`';

const specification: PointerDiagnostic = {
  code: 'odcs-version-unsupported',
  message: "Can't read the Data Contract Specification, which ODCS has replaced.",
  hint: `Convert the file with \`datacontract export odcs\`, or ${leaveOut}.`,
  pointer: ['dataContractSpecification'],
  atKey: true,
};

function unknownKind({ kind }: JsonObject): PointerDiagnostic {
  const message =
    typeof kind === 'string'
      ? `Unknown kind ${quote(kind)}.`
      : 'The document has an `apiVersion` of ODCS but no `kind`.';
  const hint = `Write \`kind: DataContract\`, or ${leaveOut}.`;
  return { code: 'odcs-kind-unknown', message, hint, pointer: ['kind'] };
}

function unsupported(
  text: string,
  version: ReturnType<typeof parseOdcsVersion>,
): PointerDiagnostic {
  const isOlder = version && version.major <= 3;
  const way = isOlder ? 'Convert the file to ODCS v3.1.0' : 'Upgrade contract-sync';
  const hint = version
    ? `${way}, or ${leaveOut}.`
    : 'Write `apiVersion: v3.1.0`, or another version from v3.0.0 to v3.2.0.';
  const message = text === '' ? 'The file has no ODCS version.' : `Can't read ODCS ${quote(text)}.`;
  return { code: 'odcs-version-unsupported', message, hint, pointer: ['apiVersion'] };
}
