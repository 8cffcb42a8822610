import { describe, expect, test } from 'vitest';
import { ErrorAnswer } from '../../../src/sandbox/http.ts';
import {
  evaluateOperations,
  parseOperations,
  withoutLinks,
} from '../../../src/sandbox/openmetadata/java-patch.ts';
import { parseJavaJson } from '../../../src/sandbox/json.ts';

function evaluate(document: string, operations: string): string {
  const patch = withoutLinks(parseOperations(operations));
  return JSON.stringify(evaluateOperations(parseJavaJson(document), patch));
}

function reasonOf(document: string, operations: string): string {
  try {
    evaluate(document, operations);
  } catch (error) {
    if (error instanceof ErrorAnswer) return /\[(.*)\]/su.exec(error.message)?.[1] ?? error.message;
  }
  return expect.fail('The patch was taken.');
}

const document = '{"a":{"b":[1,2,3]},"n":4,"v":1.0,"s":"x"}';

test.each<[string, string, string]>([
  ['operations in any case', '[{"op":"Replace","path":"/s","value":"y"}]', '{"s":"y"}'],
  [
    'an index with leading noughts',
    '[{"op":"replace","path":"/a/b/01","value":9}]',
    '{"a":{"b":[1,9,3]}}',
  ],
  ['- as the end of a list', '[{"op":"add","path":"/a/b/-","value":9}]', '{"a":{"b":[1,2,3,9]}}'],
  ['a move to the place it comes from', '[{"op":"move","from":"/s","path":"/s"}]', '{}'],
  ['an escaped name', '[{"op":"add","path":"/~01~1","value":1}]', '{"~1/":1}'],
  ['text behind the list', '[{"op":"replace","path":"/s","value":"]"}] and so on', '{"s":"]"}'],
  ['the last of two members', '[{"op":"replace","path":"/s","value":1,"value":2}]', '{"s":2}'],
  ['nothing of operations on links', '[{"op":"test","path":"/href","value":1}]', '{}'],
])('the patch library takes %s', (_, operations, changed) => {
  const expected = { ...JSON.parse(document), ...JSON.parse(changed) };
  expect(JSON.parse(evaluate(document, operations))).toEqual(expected);
});

test.each<[string, string, string]>([
  [
    'an absent member',
    '[{"op":"remove","path":"/x"}]',
    'Non-existing name/value pair in the object for key x',
  ],
  [
    'an absent holder',
    '[{"op":"add","path":"/x/y","value":1}]',
    `The JSON Object '${document}' contains no mapping for the name 'x'`,
  ],
  [
    'a scalar as a holder',
    '[{"op":"add","path":"/v/y","value":1}]',
    "The reference value in a JSON Pointer must be a JSON Object or a JSON Array, was 'NUMBER'",
  ],
  [
    'an index beyond the end',
    '[{"op":"add","path":"/a/b/4","value":1}]',
    'An array item index is out of range. Index: 4, Size: 3',
  ],
  ['a negative index', '[{"op":"remove","path":"/a/b/-1"}]', "Array index format error, was '-1'"],
  ['a word as an index', '[{"op":"remove","path":"/a/b/x"}]', "Illegal integer format, was 'x'"],
  [
    'a pointer without a slash',
    '[{"op":"remove","path":"s"}]',
    "A non-empty JSON Pointer must begin with a '/'",
  ],
  [
    'an unknown operation',
    '[{"op":"frob","path":"/s"}]',
    'Illegal value for the operationName of the JSON patch operation: frob',
  ],
  [
    'to remove the document',
    '[{"op":"remove","path":""}]',
    'The JSON value at the root cannot be removed',
  ],
  [
    'a move from a missing place',
    '[{"op":"move","from":"/x","path":"/y"}]',
    "The '/x' path of the patch operation 'move' does not exist in target object",
  ],
  [
    'a move to a place whose text goes on',
    '[{"op":"move","from":"/a/b/1","path":"/a/b/10"}]',
    "The '/a/b/1' path of the patch operation 'move' is a proper prefix of the '/a/b/10' path",
  ],
  [
    'an add without a value',
    '[{"op":"add","path":"/s"}]',
    "The JSON Patch operation 'add' must contain a 'value' member",
  ],
  ['what is no list', '{"op":"remove","path":"/s"}', 'Failed to parse JsonPatch'],
  ['what is no JSON', '[{', 'Failed to parse JsonPatch'],
])('the patch library refuses %s', (_, operations, reason) => {
  expect(reasonOf(document, operations)).toBe(reason);
});

describe('a test of a number', () => {
  test.each(['{"path":"/n","value":4}', '{"path":"/v","value":1.0}', '{"path":"/v","value":1e0}'])(
    'passes with %s',
    (operation) => {
      expect(evaluate(document, `[{"op":"test",${operation.slice(1)}]`)).toBe(document);
    },
  );

  test.each(['{"path":"/n","value":4.0}', '{"path":"/v","value":1}', '{"path":"/n","value":"4"}'])(
    'fails with %s',
    (operation) => {
      expect(reasonOf(document, `[{"op":"test",${operation.slice(1)}]`)).toMatch(/'test' failed/u);
    },
  );
});

test('a test compares objects with members in any order', () => {
  const twisted = '[{"op":"test","path":"/o","value":{"b":2,"a":1}}]';
  expect(evaluate('{"o":{"a":1,"b":2}}', twisted)).toBe('{"o":{"a":1,"b":2}}');
});
