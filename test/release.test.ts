/** The workflow that releases: what it may do. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './support/root.ts';

type Step = {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
};
type Job = {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};

const text = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
const { on, permissions, jobs }: Workflow = parse(text);

type Workflow = {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly jobs: Readonly<Record<'build' | 'attest' | 'npm' | 'pages' | 'image' | 'github', Job>>;
};

test('the workflow publishes for a tag alone, and only what the job before it has made', () => {
  expect(Object.keys(on)).toEqual(['push', 'workflow_dispatch']);
  expect(on['push']).toEqual({ tags: ['v[0-9]+.[0-9]+.[0-9]+'] });
  const { build, ...publishing } = jobs;
  expect(build.if).toBeUndefined();
  const order = Object.values(publishing).map(({ needs }) => needs);
  expect(order).toEqual(['build', 'attest', 'npm', 'npm', 'npm']);
  for (const { if: condition, steps } of Object.values(publishing)) {
    expect(condition).toBe("github.event_name == 'push'");
    expect(steps.some(({ uses }) => uses?.startsWith('actions/download-artifact@'))).toBe(true);
  }
});

test('it has no secret, and each job no more than it needs', () => {
  expect(text).not.toContain('secrets.');
  expect(text).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|registry/u);
  expect(permissions).toEqual({});
  expect(Object.entries(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
    ['build', { contents: 'read' }],
    ['attest', { 'id-token': 'write', attestations: 'write' }],
    ['npm', { 'id-token': 'write' }],
    ['pages', { pages: 'write', 'id-token': 'write' }],
    ['image', { packages: 'write', 'id-token': 'write', attestations: 'write' }],
    ['github', { contents: 'write' }],
  ]);
  expect(jobs.npm.environment).toBe('npm');
});

test('it stores and takes no cache', () => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const nodes = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
  expect(nodes.map((step) => step.with)).toEqual([
    { 'node-version': 24, 'package-manager-cache': false },
    { 'node-version': 24, 'package-manager-cache': false },
  ]);
});
