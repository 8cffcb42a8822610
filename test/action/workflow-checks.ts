/** What every workflow that people copy, or that `init` writes, has to keep to. */

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { outputOf } from '../support/process.ts';
import { root } from '../support/root.ts';

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

/**
 * Runs the Action once, with inputs that it has, the command line, or a run of it again; asks for permissions with
 * reasons, and puts no output into a script.
 */
export function expectSoundWorkflow(text: string): void {
  const { jobs, permissions, concurrency } = parse(text);
  const steps = Object.values<{ steps: Step[] }>(jobs).flatMap((job) => job.steps);
  const ours = steps.filter(({ uses }) => uses?.startsWith('contract-sync/'));
  const commands = steps.filter(({ run }) =>
    /npx --yes contract-sync@|gh run rerun/u.test(run ?? ''),
  );
  expect(ours).toHaveLength(commands.length > 0 ? 0 : 1);
  for (const { with: inputs = {} } of ours) {
    for (const name of Object.keys(inputs)) expect(action.inputs).toHaveProperty(name);
  }
  expect(permissions).toEqual({});
  expect(concurrency.group).toBeTruthy();
  expect(text).not.toMatch(/^ {6}\S+: (?:read|write)$/mu);
  expect(text).not.toContain('pull_request_target');
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
}

type Step = { readonly uses?: string; readonly with?: object; readonly run?: string };

const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')];

const find = (name: string) => folders.map((folder) => join(folder, name)).find(existsSync);

/** Where this machine has them. */
export const actionlint = find('actionlint');
export const zizmor = find('zizmor');

export function lintWorkflows(files: readonly string[]): void {
  // GitHub has `queue` since May 2026, and the release of actionlint that was the newest does not.
  const flags = ['-no-color', '-ignore', 'unexpected key "queue"'];
  // It prints what is wrong, and ends with 1.
  expect(outputOf(actionlint ?? '', [...flags, ...files])).toBe('');
}

export function auditWorkflows(files: readonly string[]): void {
  const flags = ['--offline', '--no-progress', '--persona=pedantic', '--format=plain'];
  // It prints what it finds, and ends with more than 10.
  const printed = outputOf(zizmor ?? '', [...flags, ...files]);
  expect(printed).toMatch(/^No findings to report/mu);
}
