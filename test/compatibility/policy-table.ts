import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/core/json.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'policy.md');

/** A row of the tables of docs/policy.md. */
export type ChangeCase = {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** In the order of the alphabet, one for each finding. */
  readonly rules: readonly string[];
  readonly forward: string;
  readonly backward: string;
};

const row =
  /^\| (?<before>[^|]+) \| (?<after>[^|]+) \| (?<rules>[a-z, -]+) \| (?<forward>\w+) \| (?<backward>\w+) \|$/gmu;

export const changes: readonly ChangeCase[] = [
  ...readFileSync(page, 'utf8').split('### What each change does')[1]!.matchAll(row),
].map(({ groups }) => {
  const { before, after, rules, forward, backward } = groups as Record<string, string>;
  return {
    name: `${before} → ${after}`,
    before: contractOf(before!),
    after: contractOf(after!),
    rules: rules!.split(', '),
    forward: forward!,
    backward: backward!,
  };
});

type Column = { name: string; dataType: string; children?: Column[] };

/** `–`, columns as ``a: INT NOT_NULL, a.x: DECIMAL(10,2)``, or fields of a contract in YAML. */
function contractOf(cell: string): JsonObject {
  if (cell === '–') return {};
  const text = cell.replaceAll('`', '');
  if (!/^a: |^b: /u.test(text)) return parse(`{ ${text} }`);
  const schema: Column[] = [];
  for (const column of text.split(/, (?=[\w.]+: )/u)) {
    const [, path, name, dataType, arrayDataType, constraint] =
      /^(?:(\w+)\.)?(\w+): ([^ <]+)(?:<(\w+)>)?(?: (\w+))?$/u.exec(column)!;
    const members = { ...(arrayDataType && { arrayDataType }), ...(constraint && { constraint }) };
    const parent = schema.find((sibling) => sibling.name === path);
    const siblings = parent ? (parent.children ??= []) : schema;
    siblings.push({ name: name!, dataType: dataType!, ...members });
  }
  return { schema };
}
