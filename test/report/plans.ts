import type { JsonValue } from '../../src/core/json.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { Change, Plan, UpdatePlan } from '../../src/plan/plan.ts';

type Given = Partial<UpdatePlan> & { readonly after?: JsonValue };

/** A contract whose description changes. */
export function update(name: string, { after = 'New.', ...more }: Given = {}): UpdatePlan {
  return {
    action: 'update',
    id: name,
    fullyQualifiedName: `shop.${name}`,
    source: sourceOf(name),
    liveVersion: '0.1',
    predictedVersions: ['0.2'],
    fingerprint: `sha256:${name}`,
    target: {},
    changes: [
      change('replace', '/description', {
        label: 'description',
        before: 'Old.',
        after,
        source: { ...sourceOf(name), line: 7 },
      }),
    ],
    problems: [],
    ...more,
  };
}

export function change(kind: Change['kind'], path: string, more: Partial<Change> = {}): Change {
  return { kind, path, place: path, label: path, ...more };
}

export function sourceOf(name: string) {
  return { file: `contracts/${name}.yaml`, line: 2, column: 1 };
}

/** One contract of each kind that a page tells apart. */
export const planOfEachKind: Plan = makePlan(
  'https://catalog.example.com/api',
  [
    update('plain'),
    update('moving', { transition: { from: 'Draft', to: 'Active' } }),
    update('breaking', {
      problems: [
        {
          code: 'column-removed',
          severity: 'warning',
          impact: 'breaking',
          message: 'Column fax_number is removed.',
        },
      ],
    }),
    update('blocked', {
      action: 'blocked',
      problems: [{ code: 'protected', severity: 'error', message: 'It is protected.' }],
    }),
    {
      action: 'missing',
      fullyQualifiedName: 'shop.missing',
      source: sourceOf('missing'),
      problems: [
        { code: 'contract-missing', severity: 'warning', message: 'There is no such contract.' },
      ],
    },
    { action: 'unmanaged', id: 'stray', fullyQualifiedName: 'shop.stray' },
  ],
  [],
);
