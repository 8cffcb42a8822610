import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksWithoutRun, parseSteps, type Step } from './page.ts';
import { openWorld, type World } from './world.ts';
import { root } from '../support/root.ts';

const pages = globSync(['*.md', '{docs,src,examples,.github}/**/*.md'], { cwd: root }).toSorted();

test.for(pages)('each console block of %s is run', (page) => {
  expect(blocksWithoutRun(readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test.for(pages)('each command of %s prints what the page shows', async (page) => {
  const path = join(root, page);
  const shown = readFileSync(path, 'utf8');
  const real = await runPage(shown);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    if (comparable(real) !== comparable(shown)) writeFileSync(path, real);
    return;
  }
  expect(comparable(shown)).toBe(comparable(real));
});

/** The page as its commands write it. */
async function runPage(page: string): Promise<string> {
  let world: World | undefined;
  let [written, from] = ['', 0];
  try {
    for (const step of parseSteps(page)) {
      if (step.kind === 'workspace') {
        await world?.close();
        world = await openWorld(step.setting);
        continue;
      }
      if (!world) continue;
      const printed = await runStep(step, world);
      if (step.kind !== 'block') continue;
      written += page.slice(from, step.place.start) + printed;
      from = step.place.end;
    }
  } finally {
    await world?.close();
  }
  return written + page.slice(from);
}

async function runStep(step: Exclude<Step, { kind: 'workspace' }>, world: World): Promise<string> {
  if (step.kind === 'file') world.write(step.name, step.text);
  if (step.kind === 'edit') await world.edit(step.contract, step.patch);
  if (step.kind === 'hidden') await world.run(step.command);
  if (step.kind !== 'block') return '';
  const parts: string[] = [];
  for (const command of step.commands) {
    const printed = await world.run(command);
    parts.push(`$ ${command}\n${printed}${printed === '' || printed.endsWith('\n') ? '' : '\n'}`);
  }
  return parts.join('\n');
}

/** Times, and what is computed from them, are others in each run. */
function comparable(page: string): string {
  return page
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/gu, 'TIME')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|seconds?|minutes?|days ago)\b/gu, 'DURATION');
}
