import { test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { agreementOn } from './agreement.ts';
import { yamlTexts } from './yaml-texts.ts';
import { rounds } from '../../support/rounds.ts';

const numRuns = Number(process.env['YAML_RUNS'] ?? rounds(3000));

property.prop([yamlTexts], { numRuns })(
  'the two ways of reading never disagree on a text, however it is written',
  (text) => {
    expect(agreementOn(text)).toMatch(/^(?:agree|slow)$/u);
  },
  600_000,
);
