import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest } from '../http.ts';
import { byCodeUnits, isList, isRecord, isSame, toList, toNumber, toText } from '../json.ts';
import type { KeptContract } from './contract.ts';
import { propertiesOf } from './recorded.ts';
import type { CustomProperty, World } from './world.ts';

type Schema = {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly pattern?: RegExp;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The shape of each element, or of each member if no properties are named. */
  readonly items?: Schema;
};

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };

const schemas: { readonly [type: string]: Schema } = {
  ...Object.fromEntries(
    'string markdown duration sqlQuery date-cp dateTime-cp time-cp'
      .split(' ')
      .map((type) => [type, text]),
  ),
  email: {
    type: 'string',
    pattern: /^[\S.!#$%&’*+/=?^_`{|}~-]+@\S+\.\S+$/u,
    minLength: 6,
    maxLength: 127,
  },
  integer,
  timestamp: integer,
  number: { type: 'number' },
  enum: { type: 'array', items: text },
  entityReferenceList: { type: 'array' },
  entityReference: {},
  timeInterval: { type: 'object', properties: { start: integer, end: integer } },
  'hyperlink-cp': {
    type: 'object',
    properties: { url: text, displayText: text },
    required: ['url'],
  },
  'table-cp': {
    type: 'object',
    properties: {
      columns: { type: 'array', items: text },
      rows: { type: 'array', items: { type: 'object', items: text } },
    },
    required: ['columns'],
  },
};

export const propertyTypes: readonly string[] = Object.keys(schemas);

export function checkProperties(world: World, before: JsonObject, after: JsonObject): void {
  const olds = propertiesOf(before);
  for (const [name, value] of Object.entries(propertiesOf(after))) {
    if (isSame(value, olds[name])) continue;
    const property = world.properties.get(name);
    if (!property) throw badRequest(`Unknown custom field ${name}`);
    const misfits = findMisfits(schemas[property.type] ?? {}, value, '');
    if (misfits.length > 0)
      throw badRequest(`Custom field ${name} has invalid JSON [${misfits.join(', ')}]`);
    checkSettings(property, value);
  }
}

/** The stored form: enum values in alphabetical order, impossible times moved to possible ones. */
export function bendProperties(world: World, contract: KeptContract): KeptContract {
  const properties = Object.entries(propertiesOf(contract)).map(([name, value]) => {
    const property = world.properties.get(name);
    const format = property && formatOf(property);
    const moment = format === undefined ? value : bendMoment(toText(value), format);
    const choices = toList(value).toSorted((a, b) => byCodeUnits(toText(a), toText(b)));
    return [name, property?.type === 'enum' ? choices : moment] as const;
  });
  if (properties.length === 0) return contract;
  return { ...contract, extension: Object.fromEntries(properties) };
}

function settingsOf({ config }: CustomProperty): JsonValue {
  return isRecord(config) ? (config['config'] ?? null) : null;
}

// A form with other letters, such as the name of a month, is not checked.
function formatOf(property: CustomProperty): string | undefined {
  const format = settingsOf(property);
  if (!property.type.endsWith('e-cp') || typeof format !== 'string') return undefined;
  return /[a-z]/iu.test(format.replaceAll(letters, '')) ? undefined : format;
}

function findMisfits(schema: Schema, value: JsonValue, path: string): readonly string[] {
  const { type, properties, required = [], items } = schema;
  const found = typeOf(value);
  if (type !== undefined && found !== type && !(type === 'number' && found === 'integer'))
    return [`${path}: ${found} found, ${type} expected`];
  if (typeof value === 'string') return misfitsOfText(schema, value, path);
  const members = isRecord(value) || isList(value) ? Object.entries(value) : [];
  const missing = required.filter((name) => !members.some(([member]) => member === name));
  return [
    ...missing.map((name) => `${path}: required property '${name}' not found`),
    ...members.flatMap(([name, member]) => {
      const inner = properties ? properties[name] : (items ?? {});
      return inner
        ? findMisfits(inner, member, `${path}/${name}`)
        : [
            `${path}: property '${name}' is not defined in the schema and the schema does not allow additional properties`,
          ];
    }),
  ];
}

function misfitsOfText(
  { pattern, minLength = 0, maxLength = Infinity }: Schema,
  value: string,
  path: string,
): readonly string[] {
  if (value.length < minLength) return [`${path}: must be at least ${minLength} characters long`];
  if (value.length > maxLength) return [`${path}: must be at most ${maxLength} characters long`];
  if (!pattern || pattern.test(value)) return [];
  return [`${path}: does not match the regex pattern ${pattern.source}`];
}

function typeOf(value: JsonValue): string {
  if (toNumber(value) !== undefined) return Number.isInteger(value) ? 'integer' : 'number';
  if (value === null) return 'null';
  return isList(value) ? 'array' : typeof value;
}

function checkSettings(property: CustomProperty, value: JsonValue): void {
  const { name, type } = property;
  const settings = settingsOf(property);
  const format = formatOf(property);
  if (format !== undefined && !fits(toText(value), format))
    throw badRequest(`Custom field ${name} value is not as per defined format ${format}`);
  if (type === 'enum' && isRecord(settings)) checkEnum(name, toList(value), settings);
  if (type === 'hyperlink-cp' && isRecord(value)) checkUrl(name, toText(value['url']));
  if (type === 'table-cp' && isRecord(value) && isRecord(settings)) {
    const known = toList(settings['columns']).map(toText);
    const unknown = toList(value['columns'])
      .map(toText)
      .filter((each) => !known.includes(each));
    if (unknown.length > 0) {
      throw badRequest(
        `Expected columns: [${known.join(', ')}], but found undefined columns: [${unknown.join(', ')}]`,
      );
    }
  }
}

// Java takes 24:00:00 for the midnight that ends a day.
const ranges: { readonly [letters: string]: string } = {
  yyyy: String.raw`\d{4}`,
  MM: '(?:0[1-9]|1[0-2])',
  dd: String.raw`(?:0[1-9]|[12]\d|3[01])`,
  HH: String.raw`(?:[01]\d|2[0-3]|24(?=(?:\D00)*$))`,
  mm: String.raw`[0-5]\d`,
  ss: String.raw`[0-5]\d`,
};

const letters = /yyyy|MM|dd|HH|mm|ss/gu;

function fits(value: string, format: string): boolean {
  const escaped = format.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
  const pattern = escaped.replaceAll(letters, (each) => ranges[each] ?? each);
  return new RegExp(`^${pattern}$`, 'u').test(value);
}

function checkEnum(name: string, values: readonly JsonValue[], settings: JsonObject): void {
  const { values: known, multiSelect } = settings;
  const unknown = values.filter((value) => isList(known) && !known.includes(value));
  if (unknown.length > 0) {
    throw badRequest(
      `Values '[${unknown.map(toText).join(', ')}]' not supported for property ${name}`,
    );
  }
  if (multiSelect === false && values.length > 1)
    throw badRequest(`Only one value allowed for non-multiSelect ${name} property`);
}

// Java takes 30 February for the month's last day, and 24:00 for the next day.
function bendMoment(value: string, format: string): string {
  const part = (letters: string, fallback: number): number => {
    const start = format.indexOf(letters);
    return start === -1 ? fallback : Number(value.slice(start, start + letters.length));
  };
  const [year, month] = [part('yyyy', 2000), part('MM', 1)];
  const day = Math.min(part('dd', 1), new Date(Date.UTC(year, month, 0)).getUTCDate());
  const time = Date.UTC(year, month - 1, day, part('HH', 0), part('mm', 0), part('ss', 0));
  const [yyyy = '', MM = '', dd = '', HH = '', mm = '', ss = ''] = new Date(time)
    .toISOString()
    .split(/\D/u);
  const parts: { readonly [letters: string]: string } = { yyyy, MM, dd, HH, mm, ss };
  return format.replaceAll(letters, (each) => parts[each] ?? '');
}

function checkUrl(name: string, url: string): void {
  const [, protocol] = /^([a-z][\w+.-]*):/iu.exec(url) ?? [];
  if (protocol === undefined) {
    throw badRequest(
      `Custom field ${name} has invalid JSON [/url: does not match the uri pattern must be a valid RFC 3986 URI]`,
    );
  }
  if (!/^https?$/iu.test(protocol))
    throw badRequest(
      `Invalid URL protocol for field '${name}': URL must use http or https protocol`,
    );
}
