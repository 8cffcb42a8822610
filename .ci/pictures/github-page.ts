/** A comment as GitHub shows it: its Markdown, its style sheet, its colours of a diff. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

const require = createRequire(import.meta.url);

const styles = {
  light: require.resolve('github-markdown-css/github-markdown-light.css'),
  dark: require.resolve('github-markdown-css/github-markdown-dark.css'),
};

/** What a comment on a pull request has for its text on a wide screen, in pixels. */
export const commentWidth = 860;

/** The comment as a page of its own. */
export function githubPage(markdown: string, scheme: keyof typeof styles): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>${readFileSync(styles[scheme], 'utf8')}${ownStyle}</style>
<body class="markdown-body">${githubHtml(markdown)}</body>
</html>
`;
}

const ownStyle = `
  body { box-sizing: border-box; width: ${commentWidth}px; margin: 0; padding: 16px; font-size: 14px }
  .markdown-body { font-family: 'Noto Sans', 'Liberation Sans', Helvetica, Arial, sans-serif }
  .markdown-body pre, .markdown-body code { font-family: 'Liberation Mono', monospace }
  .pl-mi1, .pl-md, .pl-mc { display: block; margin-right: -16px; padding-right: 16px }
`;

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
  const isBlock = kind !== undefined && kind !== 'mdr';
  const text = kind === undefined ? line : `<span class="pl-${kind}">${line}</span>`;
  return isBlock ? text : `${text}\n`;
}
