import { defaultRules, type Rules } from '../../src/plan/rules.ts';

/** The rules of an empty configuration, except that what a change does to consumers is no matter. */
export const lenientRules: Rules = {
  ...defaultRules,
  compatibility: { ...defaultRules.compatibility, mode: 'none' },
};
