import type { PointerDiagnostic } from '../../read/document.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import { parseOdcsVersion } from './detect.ts';
import { type Placed, type PlacedObject, textAt } from './place.ts';
import type { OdcsRun, OdcsSettings } from './settings.ts';
import { isSecretName, looksSecret, makeLookup, resolveVariables } from './variables.ts';

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
  let room = mostAdded;
  const resolve: MappingScope['resolve'] = (whole, pointer) => {
    const { text, missing, added } = resolveVariables(whole, lookup, room);
    for (const name of missing) report(unresolved(name, pointer));
    if (added > room) report(tooLong(pointer));
    room = Math.max(0, room - added);
    return text;
  };
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

/** Characters that the variables of one document may stand for: as many as a file may have bytes. */
const mostAdded = 2 ** 20;

function tooLong(pointer: Pointer): PointerDiagnostic {
  return {
    code: 'variables-too-long',
    message: `The variables of this document stand for more than ${mostAdded} characters.`,
    hint: 'Use shorter values, or fewer variables.',
    pointer,
  };
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
    hint: looksSecret(name)
      ? `Its name is one of a secret, so \`odcs.variablesFrom\` allows it only by its whole name. Or set it in \`odcs.variables\`, or write a default: \${${name}:-default}.`
      : `Set it in \`odcs.variables\`, allow it with \`odcs.variablesFrom\`, or write a default: \${${name}:-default}.`,
    pointer,
  };
}
