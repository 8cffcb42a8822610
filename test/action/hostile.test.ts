import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { hostileText } from '../report/hostile-text.ts';
import { makeFolder, serveCatalog } from '../support/workspace.ts';
import { serveGitHub } from './github-server.ts';
import {
  arrangePull,
  logOf,
  pullRequestEvent,
  runAction,
  runWithoutWaiting,
} from './run-action.ts';

const count = 500;
/** The same in every run: what each of the texts does is tried elsewhere. */
const texts = fc.sample(hostileText, { numRuns: count * 4, seed: 9 });
const text = (index: number) => texts[index % texts.length] ?? '';

/** Half of a character would be an error of the file. */
const fileText = (index: number) => text(index).toWellFormed();

function contract(index: number) {
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    description: fileText(index),
    semantics: [{ name: fileText(index + count), description: fileText(index + 2 * count) }],
  };
}

test('500 hostile contracts, of which some cannot be parsed, give no command and no markup', async () => {
  const catalog = await serveCatalog({
    seed: Array.from({ length: count }, (_, index) => ({
      id: contract(index).id,
      name: text(index + 3 * count),
      fullyQualifiedName: `${text(index + 3 * count)}.${index}`,
      description: text(index + 1),
      entityStatus: index === 0 ? 'Active' : 'Draft',
    })),
  });
  const files = Array.from({ length: count }, (_, index) => stringify(contract(index)));
  const github = await serveGitHub();
  const inputs = { 'catalog-url': catalog.url, token: catalog.token };
  const event = pullRequestEvent();
  const good = makeFolder({ 'contracts/all.yaml': files.join('---\n') });
  const bad = makeFolder({ 'contracts/all.yaml': texts.map((line) => `${line}: [`).join('\n') });
  for (const [folder, updates] of [
    [good, String(count)],
    [bad, '0'],
  ] as const) {
    const run = await runAction({ folder, github, inputs, event });
    expect(run.outputs).toMatchObject({ updates });
    expect(run.stderr).toBe('');
    const names = new Set(run.commands.map(({ name }) => name));
    for (const name of ['add-mask', 'group', 'endgroup', 'error', 'warning', 'notice']) {
      names.delete(name);
    }
    expect([...names]).toEqual([]);
    // Exactly the commands of ours: the log of the plan stands between one group and its end.
    expect(run.commands.filter(({ name }) => name === 'group')).toHaveLength(1);
    expect(
      run.commands.filter(({ name }) => name === 'add-mask').map(({ message }) => message),
    ).toEqual([catalog.token, github.token]);
    for (const page of [run.summary, github.comments[0]?.body ?? '']) expectHarmless(page);
  }
});

const ownTags = new Set(
  'a blockquote br code del details em h2 h3 hr li p pre strong sub summary table tbody td th thead tr ul wbr'.split(
    ' ',
  ),
);

/** Only elements that we make, only links to GitHub, and nobody mentioned. */
function expectHarmless(markdown: string): void {
  const html = micromark(markdown.replace(/^<!-- contract-sync .*-->\n/u, ''), {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*|!--)/giu)].map(([, tag = '']) => tag);
  expect(tags.filter((tag) => !ownTags.has(tag))).toEqual([]);
  const targets = [...html.matchAll(/href="([^"]*)"/gu)].map(([, target = '']) => target);
  expect(targets.filter((target) => !target.startsWith('https://github.com/acme/'))).toEqual([]);
  const outside = html
    .replaceAll(/<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/gu, ' ')
    .replaceAll(/<[^>]*>/gu, ' ');
  expect(outside).not.toMatch(/@\w|www\.|https?:\/\//u);
}

describe('a configuration that leads out of the checkout shows nothing of the files there', () => {
  type Links = Readonly<Record<string, string>>;
  const secret = 'hunter2: hunter2\nextends: hunter2\n';
  test.for<{ name: string; config?: string; links?: Links; folder?: string }>([
    { name: 'a link', links: { 'contract-sync.yaml': 'secret.yaml' } },
    { name: 'an `extends`', config: 'extends: ../OUTSIDE/secret.yaml' },
    {
      name: 'a linked `extends`',
      config: 'extends: base.yaml',
      links: { 'base.yaml': 'secret.yaml' },
    },
    { name: 'an absolute `include`', config: 'contracts: { include: [/tmp/OUTSIDE/secret.yaml] }' },
    { name: 'an `include` upwards', config: 'contracts: { include: ["../OUTSIDE/**"] }' },
    { name: 'a team', config: 'teams: { a: { include: [../OUTSIDE], scope: [a.**] } }' },
    { name: 'a linked folder', links: { data: '.' }, folder: 'data' },
  ])('$name', async ({ config, links = {}, folder: workingDirectory = '.' }) => {
    const outside = makeFolder({ 'secret.yaml': secret, 'contracts/secret.yaml': secret });
    const { github, world } = await arrangePull();
    const { folder } = world;
    if (config !== undefined) {
      const text = config.replace('/tmp/OUTSIDE', outside).replace('OUTSIDE', basename(outside));
      writeFileSync(join(folder, 'contract-sync.yaml'), text);
    }
    for (const [link, target] of Object.entries(links))
      symlinkSync(join(outside, target), join(folder, link));
    for (const command of ['plan', 'validate']) {
      const inputs = { ...world.inputs, command, 'working-directory': workingDirectory };
      const run = await runWithoutWaiting({ ...world, inputs });
      expect(run.code).toBe(1);
      expect(run.stdout).toMatch(/leads out of|no git repository/u);
      expect(`${logOf(run)}${run.summary}${JSON.stringify(github.comments)}`).not.toContain(
        'hunter2',
      );
    }
  });
});
