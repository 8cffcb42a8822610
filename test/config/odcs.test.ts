import { expect, test } from 'vitest';
import { resolveFileSettings } from '../../src/config/settings.ts';
import { DiagnosticsError } from '../../src/core/diagnostic.ts';
import { defaultOdcsSettings } from '../../src/files/formats/odcs/settings.ts';
import { makeFolder } from '../support/workspace.ts';

function resolve(text: string) {
  const folder = makeFolder({ 'contract-sync.yaml': text });
  return resolveFileSettings({}, {}, folder, '2026-11-22').odcs;
}

/** The problems of a configuration: `line:column message`. */
function problemsIn(text: string): string[] {
  try {
    resolve(text);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(
      ({ message, source }) => `${source?.line}:${source?.column} ${message}`,
    );
  }
}

test('without odcs the defaults hold', () => {
  expect(resolve('')).toEqual({
    settings: defaultOdcsSettings,
    run: { today: '2026-11-22' },
  });
});

test('one template is a rule for all objects', () => {
  expect(resolve('odcs: { entity: "pg.{object.name|lower}" }').settings.entity).toEqual([
    {
      when: {},
      is: [
        { kind: 'text', text: 'pg.' },
        { kind: 'placeholder', name: 'object.name', filters: ['lower'] },
      ],
    },
  ]);
});

test('rules keep their order, and null leaves objects out', () => {
  const { entity } = resolve(`odcs:
  entity:
    - { when: { object.name: scratch_* }, is: null }
    - { when: { server.type: kafka }, is: kafka, type: topic }
`).settings;
  expect(entity).toEqual([
    { when: { 'object.name': 'scratch_*' }, is: null },
    { when: { 'server.type': 'kafka' }, is: [{ kind: 'text', text: 'kafka' }], type: 'topic' },
  ]);
});

test('owners have the defaults where the configuration is silent', () => {
  const { owners } = resolve('odcs: { owners: { roles: [dpo] } }').settings;
  expect(owners).toEqual({ ...defaultOdcsSettings.owners, roles: ['dpo'] });
});

test.for([
  ['odcs: { entity: "pg.{object.nam}" }', '1:17 Unknown placeholder "object.nam".'],
  ['odcs: { entity: "pg.{object.name|uper}" }', '1:17 Unknown filter "uper".'],
  ['odcs: { name: "pg.}" }', '1:15 The template has a stray "}".'],
  ['odcs: { entity: [{ when: { server: x }, is: pg }] }', '1:36 Unknown placeholder "server".'],
  ['odcs: { entity: [{ when: {} }] }', '1:18 `odcs.entity.0` lacks `is`.'],
  ['odcs: { fields: [semantics] }', '1:18 `odcs.fields.0` must be one of '],
  ['odcs: { entitty: pg }', '1:9 Unknown key "entitty" in `odcs`.'],
] as const)('%s is refused', ([text = '', problem]) => {
  expect(problemsIn(text)).toEqual([expect.stringContaining(problem)]);
});
