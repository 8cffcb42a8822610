import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generate, generatedPath, generatedSchemas } from '../../.ci/generate.ts';

test.each(generatedSchemas)('the code of the %s schema is as new as the schema', (schema) => {
  const code = readFileSync(generatedPath(schema), 'utf8');
  expect(code === generate(schema), 'Run `node .ci/generate.ts`.').toBe(true);
});
