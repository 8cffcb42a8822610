import { noRepository } from '../support/git-folder.ts';
import { staticToken } from '../../src/auth/token.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { apply } from '../../src/apply/apply.ts';
import type { Outcomes } from '../../src/apply/outcome.ts';
import type { CatalogConnection } from '../../src/catalog/catalog.ts';
import { createReader, createServerReader, createWriter } from '../../src/catalog/client.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { contractProblems, type Plan } from '../../src/plan/plan.ts';
import { adoptConventions, type ConfiguredRules } from '../../src/plan/rules.ts';
import type { OpenMetadataOptions } from '../../src/sandbox/openmetadata/server.ts';
import { planFiles } from '../../src/commands/plan.ts';
import type { Planning } from '../../src/session.ts';
import { lenientRules } from '../support/rules.ts';
import { type Served, serve } from '../sandbox/openmetadata/served.ts';
import { makeFolder } from '../support/workspace.ts';

/** A catalog that speaks OpenMetadata, and runs of the tool against it. */
export type World = Served & {
  /** The requests of the runs so far, `GET /v1/…`, which are forgotten by asking. */
  readonly requests: () => string[];
  /** The plan that files lead to, by the text of each. */
  readonly plan: (texts: readonly string[], run?: Partial<Run>) => Promise<Plan>;
  readonly apply: (plan: Plan, run?: Partial<Run>) => Promise<Outcomes>;
};

type Run = Omit<Partial<Planning>, 'rules'> & {
  /** The server is asked what kind it is, and of what release. */
  readonly asks: boolean;
  readonly rules: Partial<ConfiguredRules>;
  readonly user: string;
  readonly connection: Partial<CatalogConnection>;
  readonly signal: AbortSignal;
};

/** A handful of contracts is no alarm, however many of them change. */
const unlimited: ConfiguredRules = {
  ...lenientRules,
  lifecycle: {},
  limits: { ...lenientRules.limits, from: 1000 },
};

/** No wait is waited for. */
const hasty = { sleep: () => Promise.resolve(), random: () => 0 };

export async function openWorld(options: OpenMetadataOptions = {}): Promise<World> {
  const served = await serve(options);
  let requests: string[] = [];
  let passed = 0;
  const connect = async ({ user = 'admin', connection }: Partial<Run>) => ({
    baseUrl: new URL(served.url),
    token: staticToken(await served.tokenOf(user)),
    pageSize: 1000,
    timeoutMs: 5000,
    version: 'test',
    effects: hasty,
    log: (line: string) => {
      const [, method, path] = /^(GET|PATCH|POST) \S+(\/v1\/\S+): /u.exec(line) ?? [];
      if (method !== undefined) requests.push(`${method} ${path}`);
    },
    ...connection,
  });
  return {
    ...served,
    pass: (milliseconds) => {
      passed += milliseconds;
      served.pass(milliseconds);
    },
    requests: () => {
      const sent = requests;
      requests = [];
      return sent;
    },
    plan: async (texts, run = {}) => {
      const { rules, asks, user: _, connection: __, ...rest } = run;
      const files = Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text]));
      const connection = await connect(run);
      const kind = asks
        ? await createServerReader(connection).kind()
        : { product: run.product ?? openmetadata };
      return planFiles({
        catalogUrl: served.url,
        files: { root: makeFolder(files), include: ['**/*.yaml'], exclude: [] },
        repository: noRepository,
        reader: createReader(connection),
        rules: adoptConventions({ ...unlimited, ...rules }, kind.product),
        ...rest,
        ...kind,
      });
    },
    apply: async (plan, run = {}) => {
      const connection = await connect(run);
      return apply({
        plan,
        reader: createReader(connection),
        writer: createWriter(connection),
        rules: adoptConventions({ ...unlimited, ...run.rules }, openmetadata),
        product: openmetadata,
        release: plan.dialect?.release,
        concurrency: 4,
        effects: { ...hasty, now: () => 1_790_000_000_000 + passed },
        ...(run.signal && { signal: run.signal }),
      });
    },
  };
}

/** So many contracts of tables `shop.sales.web.t0` and on, each with a column. */
export function manyContracts(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `c${number}`,
    fullyQualifiedName: `shop.sales.web.t${number}.dataContract_c${number}`,
    description: 'Old.',
    entityStatus: 'Draft',
    schema: [{ name: 'id', dataType: 'INT' }],
  }));
}

export const nameOf = (number: number) => `shop.sales.web.t${number}.dataContract_c${number}`;

/** The results of an apply, each with the code of its error. */
export function problemsOf({ contracts }: Plan) {
  return contracts.flatMap(contractProblems);
}

export function resultsOf({ outcomes }: Outcomes): string[] {
  return outcomes.map(({ result, error }) => (error ? `${result}: ${error.code}` : result));
}
