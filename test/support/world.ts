import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcomes } from '../../src/apply/outcome.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { runInProcess } from './run-program.ts';
import { expectValid } from './schema.ts';
import { accessTo, makeFolder, serveCatalog } from './workspace.ts';

/** A standard catalog with these contracts, and a folder with these files to run commands in. */
export async function openWorld(
  seed: readonly JsonObject[],
  files: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
) {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder(files);
  const environment: Readonly<Record<string, string>> = { ...accessTo(catalog), ...more };
  const run = (...args: readonly string[]) => runInProcess(args, { folder, environment });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${catalog.token}`,
      'content-type': 'application/json-patch+json',
    };
    const answer = await fetch(`${catalog.url}/v1/dataContracts${path}`, { headers, ...init });
    expect(answer.status).toBe(200);
    const body: ReturnType<typeof JSON.parse> = await answer.json();
    return body;
  };
  const list = async (): Promise<readonly JsonObject[]> => (await ask('?limit=1000')).data;
  return {
    catalog,
    folder,
    environment,
    run,
    plan: async (...args: readonly string[]) =>
      planIn((await run('plan', '--format', 'json', ...args)).stdout),
    apply: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run('apply', '--yes', '--format', 'json', ...args);
      return { code, stderr, ...outcomesIn(stdout) };
    },
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
    write: (file: string, text: string) => writeFileSync(join(folder, file), text),
    /** The contracts of the catalog, in its order. */
    list,
    /** One of them, by its name. */
    live: async (name: string) => (await list()).find((each) => each['name'] === name) ?? {},
    /** A patch that somebody sends to one of them. */
    edit: async (name: string, patch: Patch) => {
      const { data } = await ask('?limit=1000');
      const { id } = data.find((each: JsonObject) => each['name'] === name);
      await ask(`/${id}`, { method: 'PATCH', body: JSON.stringify(patch) });
    },
  };
}

/** What `plan --format json` prints. */
export function planIn(text: string): Plan {
  const plan: Plan = JSON.parse(text);
  expectValid('plan', plan);
  return plan;
}

/** What `apply --format json` prints. */
export function outcomesIn(text: string): Outcomes {
  const outcomes: Outcomes = JSON.parse(text);
  expectValid('outcomes', outcomes);
  return outcomes;
}
