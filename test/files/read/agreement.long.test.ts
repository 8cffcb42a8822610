import { test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { agreementOn } from './agreement.ts';
import { yamlTexts } from './yaml-texts.ts';
import { rounds } from '../../support/rounds.ts';

const numRuns = Number(process.env['YAML_RUNS'] ?? rounds(3000));

property.prop([yamlTexts], { numRuns })(
  'no text is read as one value here and as another elsewhere',
  (text) => {
    expect(agreementOn(text)).toMatch(/^(?:agree|refused)$/u);
  },
  600_000,
);
