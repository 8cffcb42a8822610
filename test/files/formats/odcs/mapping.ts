import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import { mapOdcs, type OdcsMapping } from '../../../../src/files/formats/odcs/read.ts';
import {
  defaultOdcsSettings,
  type EntityRule,
  type OdcsRun,
  type OdcsSettings,
  parseTemplate,
  type Template,
} from '../../../../src/files/formats/odcs/settings.ts';
import { valuesIn } from '../../../../src/files/read/document.ts';
import { formatPointer } from '../../../../src/patch/pointer.ts';

/** The template that a text writes. */
export function template(text: string): Template {
  const parsed = parseTemplate(text);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return parsed.template;
}

/** A rule for all objects that meet the conditions. */
export function rule(is: string | null, when: EntityRule['when'] = {}): EntityRule {
  return { when, is: is === null ? null : template(is) };
}

/** The JSON value of a YAML text of one document. */
export function yamlValue(text: string): JsonValue {
  return valuesIn(text)[0] ?? null;
}

const run: OdcsRun = { today: '2026-11-21', takesAnyUnit: false };

export type MapOptions = {
  readonly settings?: Partial<OdcsSettings> | undefined;
  readonly run?: Partial<OdcsRun> | undefined;
  readonly statuses?: readonly string[] | undefined;
};

/** Maps a value, bound to `pg.NAME` where the settings do not say otherwise. */
export function mapValue(value: JsonValue, options: MapOptions = {}): OdcsMapping {
  const settings = {
    ...defaultOdcsSettings,
    entity: [rule('pg.{object.physicalName|quote}')],
    ...options.settings,
  };
  const { statuses } = options;
  return mapOdcs(value, { statuses, odcs: { settings, run: { ...run, ...options.run } } });
}

const head = { apiVersion: 'v3.1.0', kind: 'DataContract', id: 'x', version: '1.0.0' };

/** Maps the sections of a document, in YAML. */
export function mapSections(text: string, options?: MapOptions): OdcsMapping {
  return mapValue({ ...head, ...(yamlValue(text) as JsonObject) }, options);
}

/** The fields of the only contract of a document that has an object `t`, without its identity. */
export function importedFields(text: string, options?: MapOptions): JsonObject {
  const withObject = /^\s*schema:/mu.test(text) ? text : `${text}\nschema: [{ name: t }]`;
  const { contracts, diagnostics } = mapSections(withObject, options);
  const [contract] = contracts;
  if (!contract || contracts.length > 1) throw new Error(JSON.stringify(diagnostics));
  const { entity: _, ...fields } = contract.fields;
  return fields;
}

/** Diagnostics in short: `warning type-unknown /schema/0/properties/1`. */
export function problemsOf({ diagnostics }: Pick<OdcsMapping, 'diagnostics'>): string[] {
  return diagnostics
    .filter(({ code }) => code !== 'not-synced')
    .map(
      ({ severity = 'error', code, pointer }) => `${severity} ${code} ${formatPointer(pointer)}`,
    );
}
