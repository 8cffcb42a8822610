/**
 * `npm run pictures` writes the pictures of the documentation into `docs/pictures/`, from real runs
 * over the quickstart: the terminal's as SVG, the comment's as PNG where Chromium is in PATH.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../bundle.ts';
import { commentWidth, githubPage } from './github-page.ts';
import { changed, commit, drawPlan, runOverQuickstart } from './run.ts';

const folder = join(root, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });

writeFileSync(join(folder, 'plan.svg'), await drawPlan());

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const executable = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((path) => names.map((name) => join(path, name)))
  .find((file) => existsSync(file));
if (executable === undefined)
  process.stderr.write('No Chromium in PATH: the comment stays as it is.\n');
else
  await takeComment(
    await runOverQuickstart(['plan', '--format', 'markdown', ...changed]),
    executable,
  );

async function takeComment(markdown: string, executablePath: string): Promise<void> {
  // What is drawn over a part drawn before differs by a shade from run to run.
  const args = ['--no-sandbox', '--disable-partial-raster'];
  const browser = await chromium.launch({ executablePath, args });
  const about = `**prod** · commit \`${commit.slice(0, 7)}\`\n\n`;
  for (const scheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: commentWidth, height: 100 } });
    await page.setContent(githubPage(`${about}${markdown}`, scheme));
    await page.screenshot({
      path: join(folder, `comment-${scheme}.png`),
      fullPage: true,
      omitBackground: true,
    });
  }
  await browser.close();
}
