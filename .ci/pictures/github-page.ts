/** A comment as GitHub shows it: its Markdown, its style sheet, its colours of a diff. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

const require = createRequire(import.meta.url);

const schemes = {
  light: {
    sheet: require.resolve('github-markdown-css/github-markdown-light.css'),
    frame: { line: '#d1d9e0', header: '#f6f8fa', faint: '#59636e' },
  },
  dark: {
    sheet: require.resolve('github-markdown-css/github-markdown-dark.css'),
    frame: { line: '#3d444d', header: '#151b23', faint: '#9198a1' },
  },
};

/** What a comment on a pull request has for its text on a wide screen, in pixels. */
export const commentWidth = 860;

/** The comment as a page of its own. */
export function githubPage(markdown: string, scheme: keyof typeof schemes): string {
  const { sheet, frame } = schemes[scheme];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>${readFileSync(sheet, 'utf8')}${frameStyle(frame)}</style>
<article class="markdown-body">
<header><b>github-actions</b> <span>bot</span> commented</header>
${githubHtml(markdown)}
</article>
</html>
`;
}

type Frame = (typeof schemes)['light']['frame'];

function frameStyle({ line, header, faint }: Frame): string {
  return `
  body { width: ${commentWidth}px; margin: 0 }
  article { border: 1px solid ${line}; border-radius: 6px; overflow: hidden; padding: 0 15px 16px }
  article.markdown-body { font: 14px/1.5 'Noto Sans', 'Liberation Sans', Helvetica, Arial, sans-serif }
  article pre, article code { font-family: 'Liberation Mono', monospace }
  header { margin: 0 -15px 16px; padding: 8px 15px; border-bottom: 1px solid ${line} }
  header { background: ${header}; color: ${faint} }
  header span { border: 1px solid ${line}; border-radius: 2em; padding: 0 6px; font-size: 12px }
`;
}

function githubHtml(markdown: string): string {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });
  return html.replaceAll(alert, alertHtml).replaceAll(diff, diffHtml);
}

const alert = /<blockquote>\s*<p>\[!(NOTE|WARNING|CAUTION)\]\n([\s\S]*?)<\/blockquote>/gu;

function alertHtml(_: string, kind: string, body: string): string {
  const title = `${kind.slice(0, 1)}${kind.slice(1).toLowerCase()}`;
  return `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}">
    <p class="markdown-alert-title">${title}</p><p>${body}</div>`;
}

const diff = /<pre><code class="language-diff">([\s\S]*?)<\/code><\/pre>/gu;

function diffHtml(_: string, body: string): string {
  const lines = body.replace(/\n$/u, '').split('\n');
  return `<pre><code>${lines.map(diffLine).join('')}</code></pre>`;
}

/** By what GitHub's grammar for diffs takes them for. */
const kinds: Readonly<Record<string, string>> = { '+': 'mi1', '-': 'md', '!': 'mc', '@': 'mdr' };

function diffLine(line: string): string {
  const kind = kinds[line.slice(0, 1)];
  const [coloured = ''] = kind === 'mdr' ? (/^@@.*@@/u.exec(line) ?? []) : [line];
  const rest = line.slice(coloured.length);
  return kind === undefined ? `${line}\n` : `<span class="pl-${kind}">${coloured}</span>${rest}\n`;
}
