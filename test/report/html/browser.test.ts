import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makePlan } from '../../../src/plan/make.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { makeFolder } from '../../workspace.ts';
import { hostileText, planSaying } from '../hostile-text.ts';
import { planOfEachKind, update } from './plans.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
const executable = folders
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((file) => existsSync(file));

const title = executable === undefined ? 'the page (skipped: no Chromium in PATH)' : 'the page';

describe.skipIf(executable === undefined)(title, () => {
  let browser: Browser;
  beforeAll(async () => {
    // Chromium's own sandbox does not start for root, as in a container.
    browser = await chromium.launch({
      executablePath: executable ?? '',
      args: ['--no-sandbox'],
    });
  });
  afterAll(async () => browser.close());

  type Opening = BrowserContextOptions & { readonly hash?: string };

  /** `complaints`: what the page does that it should not. */
  type Opened = { readonly page: Page; readonly complaints: readonly string[] };

  async function open(plan: Plan, { hash = '', ...context }: Opening = {}): Promise<Opened> {
    const page = await browser.newPage(context);
    onTestFinished(async () => page.close());
    const complaints: string[] = [];
    const file = join(makeFolder(), 'plan.html');
    writeFileSync(file, renderPlanHtml(plan, {}));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) complaints.push(request.url());
    });
    await page.goto(`${pathToFileURL(file).href}${hash}`);
    return { page, complaints };
  }

  test('finds contracts by names and values, and counts what is left', async () => {
    const { page, complaints } = await open(planOfEachKind);
    await page.fill('input', 'fax_NUMBER  breaking');
    expect(await seen(page)).toEqual(['shop.breaking']);
    expect(await page.textContent('output')).toBe('1 of 6');
    expect(await page.textContent('h2:visible >> nth=0')).toBe('Blocked and breaking 1');
    expect(await page.locator('h2:visible').count()).toBe(1);
    expect(await chip(page, 'update').textContent()).toMatch(/update\s+1/u);
    expect(await chip(page, 'missing').textContent()).toMatch(/missing\s+0/u);
    expect(complaints).toEqual([]);
  });

  test('filters by any of one kind and all of several, and shows no idle filter', async () => {
    const { page } = await open(planOfEachKind);
    await chip(page, 'missing').click();
    await chip(page, 'update').click();
    expect(await seen(page)).toEqual([
      'shop.breaking',
      'shop.moving',
      'shop.plain',
      'shop.missing',
    ]);
    await chip(page, 'breaking').click();
    expect(await seen(page)).toEqual(['shop.breaking']);
    expect(await chip(page, 'blocked').textContent()).toMatch(/blocked\s+0/u);
    await chip(page, 'breaking').click();
    await chip(page, 'missing').click();
    await chip(page, 'update').click();
    await chip(page, 'transition').click();
    expect(await seen(page)).toEqual(['shop.moving']);
    expect(await page.locator('[data-mirror]:visible').count()).toBe(1);
    expect(await chip(page, 'unchanged').isVisible()).toBe(false);
    expect(await chip(page, 'drift').isVisible()).toBe(false);
  });

  test('folds and unfolds what is seen', async () => {
    const { page } = await open(planOfEachKind);
    const unfolded = page.locator('.contract[open]');
    await page.click('[data-fold=close]');
    expect(await unfolded.count()).toBe(0);
    await chip(page, 'breaking').click();
    await page.click('[data-fold=open]');
    expect(await unfolded.evaluateAll((cards) => cards.map(({ id }) => id))).toEqual([
      'shop.breaking',
    ]);
  });

  test('searches at a slash, and Escape shows all again', async () => {
    const { page } = await open(planOfEachKind);
    await page.keyboard.press('/');
    await page.keyboard.type('contracts/plain');
    expect(await page.inputValue('input')).toBe('contracts/plain');
    expect(await seen(page)).toEqual(['shop.plain']);
    await page.keyboard.press('Escape');
    expect(await seen(page)).toHaveLength(5);
  });

  test('opens at a contract by its name, also when it is filtered away', async () => {
    const { page } = await open(manyOf(400), { hash: '#shop.t_390' });
    const card = page.locator('[id="shop.t_390"]');
    expect(await card.evaluate((element) => element.hasAttribute('open'))).toBe(true);
    expect(await isInView(page, 'shop.t_390')).toBe(true);
    await page.fill('input', 't_1');
    await page.evaluate('location.hash = "#shop.t_42"');
    await page.locator('[id="shop.t_42"][open]').waitFor();
    expect(await page.inputValue('input')).toBe('');
    expect(await isInView(page, 'shop.t_42')).toBe(true);
  });

  test('of 400 contracts is small, and no wider than its window', async () => {
    const { page, complaints } = await open(manyOf(400));
    expect(await page.locator('.contract').count()).toBe(400);
    expect(await page.locator('*').count()).toBeLessThan(400 * 20);
    for (const width of [1200, 860, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(complaints).toEqual([]);
  });

  test('of hostile texts asks for nothing, breaks no policy and runs nothing of theirs', async () => {
    const texts = fc.sample(hostileText, { numRuns: 2000, seed: 7 });
    const attack = '"><script>alert(1)</script><img src=https://evil.example onerror=alert(1)>';
    let next = 0;
    const say = () => {
      next += 1;
      return next % 3 === 0 ? attack : (texts[next % texts.length] ?? '');
    };
    const { page, complaints } = await open(planSaying(say, 100));
    expect(await page.locator('.contract').count()).toBe(101);
    await page.click('[data-fold=open]');
    await page.fill('input', 'alert(1)');
    expect(await page.textContent('output')).toMatch(/^\d+ of 102$/u);
    expect(complaints).toEqual([]);
  });

  test('is under a policy that refuses what is not its own', async () => {
    const { page, complaints } = await open(planOfEachKind);
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'console.log("foreign")';
      document.body.append(script);
    `);
    const evaluating = `new Promise((resolve) => {
      setTimeout(() => {
        try { resolve(eval('"evaluated"')); } catch (error) { resolve(error.name); }
      });
    })`;
    expect(await page.evaluate(evaluating)).toBe('EvalError');
    expect(complaints.filter((text) => text === 'foreign')).toEqual([]);
    expect(complaints).toContainEqual(expect.stringContaining('Content Security Policy'));
  });

  test('shows all there is where no script runs', async () => {
    const { page } = await open(planOfEachKind, { javaScriptEnabled: false });
    expect(await page.locator('.contract:visible').count()).toBe(5);
    expect(await page.locator('[data-toolbar]').isVisible()).toBe(false);
    await page.locator('[id="shop.plain"] summary').click();
    expect(await page.locator('[id="shop.plain"] pre').isVisible()).toBe(false);
  });

  test.each(['light', 'dark'] as const)('can be read in a %s scheme', async (colorScheme) => {
    const { page } = await open(planOfEachKind, { colorScheme });
    const luminance = async (property: string) =>
      page.evaluate<number>(
        `Number(/\\d+/u.exec(getComputedStyle(document.body)['${property}'])[0])`,
      );
    const [text, back] = [await luminance('color'), await luminance('backgroundColor')];
    expect(colorScheme === 'light' ? back - text : text - back).toBeGreaterThan(180);
  });
});

/** The contracts that can be seen. */
async function seen(page: Page): Promise<string[]> {
  return page.locator('.contract:visible').evaluateAll((cards) => cards.map(({ id }) => id));
}

function chip(page: Page, value: string) {
  return page.locator(`[data-value="${value}"]`);
}

/** Whether it stands in the window, below the toolbar. */
async function isInView(page: Page, id: string): Promise<boolean> {
  const top = (await page.locator(`[id="${id}"]`).boundingBox())?.y ?? -1;
  const toolbar = await page.locator('[data-toolbar]').boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return top >= (toolbar?.y ?? 0) + (toolbar?.height ?? 0) && top < height;
}

function manyOf(amount: number): Plan {
  const contracts = Array.from({ length: amount }, (_, number) => update(`t_${number}`));
  return makePlan('https://catalog.example.com/api', contracts, []);
}
