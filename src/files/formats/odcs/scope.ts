import type { PointerDiagnostic } from '../../read/document.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import { parseOdcsVersion } from './detect.ts';
import { type Placed, type PlacedObject, textAt } from './place.ts';
import type { OdcsRun, OdcsSettings } from './settings.ts';
import { isSecretName, type LookupVariable, makeLookup, resolveVariables } from './variables.ts';

/** What every part of the mapping of one document has at hand. */
export type MappingScope = {
  readonly document: PlacedObject;
  readonly settings: OdcsSettings;
  readonly run: OdcsRun;
  readonly report: (diagnostic: PointerDiagnostic) => void;
  /** A member that holds text, its variables resolved where the document's version has variables. */
  readonly text: (parent: PlacedObject, name: string) => Placed<string> | undefined;
  /** A text with its variables resolved, whatever the version. */
  readonly resolve: (text: string, pointer: Pointer) => string;
};

export function makeScope(
  document: PlacedObject,
  settings: OdcsSettings,
  run: OdcsRun,
  report: MappingScope['report'],
): MappingScope {
  const lookup = makeLookup({ ...settings, environment: run.environment });
  const resolve: MappingScope['resolve'] = (text, pointer) =>
    resolveAt({ lookup, report }, text, pointer);
  return {
    document,
    settings,
    run,
    report,
    resolve,
    text: (parent, name) => {
      const member = textAt(parent, name);
      if (!member || !hasVariables(document)) return member;
      return { ...member, value: resolve(member.value, member.pointer) };
    },
  };
}

/** In older versions `${NAME}` is text, but for the entries of servers. */
export function hasVariables({ value }: PlacedObject): boolean {
  return (parseOdcsVersion(value['apiVersion'])?.minor ?? 0) >= 2;
}

type Resolving = { readonly lookup: LookupVariable; readonly report: MappingScope['report'] };

function resolveAt({ lookup, report }: Resolving, whole: string, pointer: Pointer): string {
  const { text, missing } = resolveVariables(whole, lookup);
  for (const name of missing) report(unresolved(name, pointer));
  return text;
}

function unresolved(name: string, pointer: Pointer): PointerDiagnostic {
  if (isSecretName(name)) {
    return {
      code: 'variable-refused',
      message: `The variable ${name} can hold a secret, so no file can use it.`,
      hint: 'Use a variable with another name.',
      pointer,
    };
  }
  return {
    code: 'variable-unresolved',
    message: `The variable ${name} has no value.`,
    hint: `Set it in \`odcs.variables\`, allow it with \`odcs.variablesFrom\`, or write a default: \${${name}:-default}.`,
    pointer,
  };
}
