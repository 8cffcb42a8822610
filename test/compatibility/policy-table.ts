import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/core/json.ts';

const page = join(import.meta.dirname, 'changes.md');

/** A row of the tables of changes.md. */
export type ChangeCase = {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** In the order of the alphabet, one for each finding. */
  readonly rules: readonly string[];
  readonly forward: string;
  readonly backward: string;
};

export const changes: readonly ChangeCase[] = [
  ...readFileSync(page, 'utf8').matchAll(
    /^\| (.+) \| (.+) \| ([a-z, -]+) \| (\w+) \| (\w+) \|$/gmu,
  ),
].map(([, before = '', after = '', rules = '', forward = '', backward = '']) => ({
  name: `${before} → ${after}`,
  before: contractOf(before),
  after: contractOf(after),
  rules: rules.split(', '),
  forward,
  backward,
}));

/** `–`, columns as ``a: INT NOT_NULL, a.x: DECIMAL(10,2)``, or fields of a contract in YAML. */
function contractOf(cell: string): JsonObject {
  if (cell === '–') return {};
  const text = cell.replaceAll('`', '');
  if (!/^[ab]: /u.test(text)) return parse(`{ ${text} }`);
  return { schema: columnsOf(text) };
}

function columnsOf(text: string): Column[] {
  const schema: Column[] = [];
  for (const column of text.split(/, (?=[\w.]+: )/u)) {
    const [path = '', dataType = '', constraint] = column.split(/:? /u);
    const [name = '', parent] = path.split('.').toReversed();
    const [, array, arrayDataType] = /^(.+)<(.+)>$/u.exec(dataType) ?? [];
    const siblings = schema.find((sibling) => sibling.name === parent)?.children ?? schema;
    siblings.push({
      name,
      dataType: array ?? dataType,
      ...(arrayDataType && { arrayDataType }),
      ...(constraint && { constraint }),
      ...(dataType === 'STRUCT' && { children: [] }),
    });
  }
  return schema;
}

type Column = {
  readonly name: string;
  readonly dataType: string;
  readonly arrayDataType?: string;
  readonly constraint?: string;
  readonly children?: Column[];
};
