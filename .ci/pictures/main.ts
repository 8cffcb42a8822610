/**
 * `npm run pictures` writes the pictures of the documentation into `docs/pictures/`, from real runs
 * over the quickstart: the terminal's as SVG, the comment's as PNG where Chromium is in PATH.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../bundle.ts';
import { commentWidth, githubPage } from './github-page.ts';
import { drawPlan, runOverQuickstart } from './run.ts';

const folder = join(root, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });

/** One contract that the catalog lacks is another story. */
const commented = ['plan', '--format', 'markdown', '--exclude', '**.web_sessions'];

writeFileSync(join(folder, 'plan.svg'), await drawPlan());

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const executable = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((path) => names.map((name) => join(path, name)))
  .find((file) => existsSync(file));
if (executable === undefined)
  process.stderr.write('No Chromium in PATH: the comment stays as it is.\n');
else await takeComment(await runOverQuickstart(commented), executable);

async function takeComment(markdown: string, executablePath: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const commit = execFileSync('git', ['log', '-1', '--format=%h', '--', 'examples/quickstart'], {
    cwd: root,
    encoding: 'utf8',
  });
  const about = `**prod** · commit \`${commit.trim()}\`\n\n`;
  for (const scheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: commentWidth, height: 100 } });
    await page.setContent(githubPage(`${about}${markdown}`, scheme));
    // The diffs below the table are closed.
    const { y = 0, height = 0 } = (await page.locator('table').last().boundingBox()) ?? {};
    await page.screenshot({
      path: join(folder, `comment-${scheme}.png`),
      clip: { x: 0, y: 0, width: commentWidth, height: y + height + 16 },
      fullPage: true,
    });
  }
  await browser.close();
}
