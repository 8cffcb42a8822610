import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/catalog/fault.ts';
import { openmetadata } from '../../../src/catalog/products/openmetadata/openmetadata.ts';
import type { Patch } from '../../../src/patch/evaluate.ts';

/** The answer to a patch with this status and these words. */
function answer(status: number, reason: string): ApiError {
  const url = new URL('https://catalog.example.com/api/v1/dataContracts/1');
  const fault = {
    code: 'server-error',
    message: 'It failed.',
    status,
    reason,
    transient: status >= 500,
    mayHaveLanded: status >= 500,
  } as const;
  return new ApiError({ operation: 'patch', method: 'PATCH', url }, fault, 1);
}

const thrown = (words: string): string =>
  `An exception with message [${words}] was thrown while processing request.`;

const patch: Patch = [{ op: 'add', path: '/displayName', value: 'orders' }];

describe('an error answer to a patch', () => {
  test.each([
    [
      500,
      thrown(`The JSON Patch operation 'test' failed for path '/a' and value '1'`),
      'contract-moved',
    ],
    [
      500,
      thrown('Non-existing name/value pair in the object for key displayName'),
      'contract-moved',
    ],
    [500, thrown('An array item index is out of range. Index: 9, Size: 3'), 'contract-moved'],
    [500, thrown(`The key 'x' does not exist in target object`), 'contract-moved'],
    [500, thrown('Failed to convert JsonValue to target class'), 'value-refused'],
    [500, 'Failed to parse JsonPatch', 'change-refused'],
    ...[400, 409, 412, 500].flatMap((status): [number, string, string][] => [
      [
        status,
        `The JSON Patch operation 'test' failed for path '/a' and value '1'`,
        'contract-moved',
      ],
      [
        status,
        thrown("The JSON Object '{}' contains no mapping for the name 'a'"),
        'contract-moved',
      ],
      [status, 'Failed to convert JsonValue to DataContract', 'value-refused'],
    ]),
    [403, `User 'admin' is not a reviewer`, 'needs-reviewer'],
    [400, 'Invalid Reviewer Type.', 'change-refused'],
  ])('%i, %s, is %s', (status, reason, code) => {
    const error = answer(status, reason);
    expect(openmetadata.meaning(error, patch)).toMatchObject({
      explanation: { code },
      isRefusal: true,
      isRefusedGuard: code === 'contract-moved',
    });
  });

  test.each([
    [500, thrown('Index 0 out of bounds for length 0')],
    [500, thrown('Connection is closed')],
    // What a description says is not what the server says.
    [500, thrown(`Too long: Failed to convert JsonValue to target class`)],
    [502, ''],
  ])('%i, %s, may be an outage', (status, reason) => {
    const error = answer(status, reason);
    expect(openmetadata.meaning(error, patch).explanation).toBeUndefined();
    expect(openmetadata.meaning(error, patch).isRefusal).toBe(false);
  });

  test.each([
    [
      `operation EditDisplayName denied by role Bot, policy Bots, rule Deny`,
      'zoe lacks EditDisplayName for this contract.',
    ],
    [
      'operations [EditOwners, EditDisplayName] not allowed',
      'zoe lacks EditDisplayName, EditOwners for this contract.',
    ],
  ])('403, %s, names the missing permission', (words, message) => {
    for (const user of ['zoe', 'approval-bot']) {
      const error = answer(403, `Principal: CatalogPrincipal{name='${user}'} ${words}`);
      expect(openmetadata.meaning(error, patch).explanation).toMatchObject({
        code: 'forbidden',
        message: message.replace('zoe', user),
        hint: expect.stringContaining(`give ${user}`),
      });
    }
  });
});
