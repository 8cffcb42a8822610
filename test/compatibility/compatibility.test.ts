import { describe, expect, test } from 'vitest';
import configSchema from '../../schemas/config.schema.json' with { type: 'json' };
import { defaultCompatibility, judgeCompatibility } from '../../src/compatibility/compatibility.ts';
import { compatibilityRules, type Mode } from '../../src/compatibility/rule.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Impact } from '../../src/core/diagnostic.ts';
import { desiredOf, liveOf } from '../plan/contracts.ts';
import { changes } from './changes.ts';

type Verdict = readonly [forward: Impact, backward: Impact, full: Impact];

const breaking = 'breaking';
const warning = 'warning';
const information = 'information';

/** The table of the documentation, written a second time on purpose. */
const verdicts: Readonly<Record<keyof typeof compatibilityRules, Verdict>> = {
  'column-removed': [breaking, information, breaking],
  'column-renamed': [breaking, breaking, breaking],
  'type-changed': [breaking, breaking, breaking],
  'type-narrowed': [breaking, breaking, breaking],
  'length-shortened': [breaking, breaking, breaking],
  'required-dropped': [breaking, information, breaking],
  'unique-dropped': [breaking, information, breaking],
  'sla-worsened': [breaking, information, breaking],
  'contract-emptied': [breaking, breaking, breaking],
  'type-widened': [warning, information, warning],
  'length-extended': [warning, information, warning],
  'semantics-rule-removed': [warning, information, warning],
  'semantics-rule-disabled': [warning, information, warning],
  'owners-emptied': [warning, warning, warning],
  'unique-added': [warning, breaking, breaking],
  'column-added': [information, warning, warning],
  'required-added': [information, breaking, breaking],
  'semantics-rule-added': [information, warning, warning],
  'description-changed': [information, information, information],
  'order-changed': [information, information, information],
  'tags-changed': [information, information, information],
  'other-changed': [information, information, information],
};

const modes: readonly Mode[] = ['forward', 'backward', 'full', 'none'];

/** What a status makes of an impact, by default. */
const severities: Readonly<Record<string, Readonly<Record<Impact, string | undefined>>>> = {
  Draft: { breaking: undefined, warning: undefined, information: undefined },
  Active: { breaking: 'error', warning, information },
  Deprecated: { breaking: warning, warning, information },
  // A status that the configuration says nothing about is as grave as Active.
  Proposed: { breaking: 'error', warning, information },
};

function judge(mode: Mode, status: string, before: JsonObject, after: JsonObject) {
  return judgeCompatibility(
    liveOf({ ...before, entityStatus: status }),
    { ...after, entityStatus: status },
    desiredOf(after),
    { ...defaultCompatibility, mode },
  );
}

const cases = changes.flatMap((change) =>
  modes.flatMap((mode, column) =>
    Object.entries(severities).map(([status, bySeverity]) => {
      const impact = verdicts[change.rule][column];
      return { ...change, mode, status, impact, severity: impact && bySeverity[impact] };
    }),
  ),
);

describe('every rule in every mode and status', () => {
  test.for(cases)(
    '$name is $rule: $mode, $status → $severity',
    ({ rule, mode, status, impact, severity, before, after }) => {
      expect(
        judge(mode, status, before, after).map(({ code, severity, impact }) => ({
          code,
          severity,
          impact,
        })),
      ).toEqual(severity === undefined ? [] : [{ code: rule, severity, impact }]);
    },
  );
});

test('every rule has a case', () => {
  expect([...new Set(changes.map(({ rule }) => rule))].toSorted()).toEqual(
    Object.keys(compatibilityRules).toSorted(),
  );
});

test('the configuration allows exceptions of exactly these rules', () => {
  expect(configSchema.properties.allow.items.properties.rule.enum).toEqual(
    Object.keys(compatibilityRules),
  );
});

test('a contract without a status is judged like an active one', () => {
  const target = { schema: [{ name: 'a', dataType: 'TEXT' }] };
  const live = liveOf({ schema: [{ name: 'a', dataType: 'INT' }] });
  const problems = judgeCompatibility(live, target, desiredOf(target), defaultCompatibility);
  expect(problems).toMatchObject([{ code: 'type-changed', severity: 'error' }]);
});
