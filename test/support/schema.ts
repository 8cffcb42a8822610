import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { root } from './root.ts';

const validators = {
  plan: compile('plan'),
  outcomes: compile('outcomes'),
  validation: compile('validation'),
  examination: compile('examination'),
  history: compile('history'),
  receipt: compile('receipt'),
};

/** The document is what its schema under `schemas/` says. */
export function expectValid(name: keyof typeof validators, document: unknown): void {
  const validate = validators[name];
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
}

function compile(name: string) {
  const path = join(root, 'schemas', `${name}.schema.json`);
  return new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(path, 'utf8')),
  );
}
