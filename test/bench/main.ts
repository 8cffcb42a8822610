/** `npm run bench`, or `npm run bench -- plan`: each benchmark prints Markdown. */

const benchmarks: Readonly<
  Record<string, () => Promise<{ readonly run: () => void | Promise<void> }>>
> = {
  patch: () => import('./patch.ts'),
  plan: () => import('./plan.ts'),
  pull: () => import('./pull.ts'),
  apply: () => import('./apply.ts'),
  validate: () => import('./validate.ts'),
  history: () => import('./history.ts'),
  throttle: () => import('./throttle.ts'),
  action: () => import('./action.ts'),
};

const chosen = process.argv[2];
const names = chosen === undefined ? Object.keys(benchmarks) : [chosen];
for (const name of names) {
  const load = benchmarks[name];
  if (!load) {
    console.error(
      `There is no benchmark "${name}". There are: ${Object.keys(benchmarks).join(', ')}.`,
    );
    process.exitCode = 1;
    continue;
  }
  const { run } = await load();
  await run();
}
