/**
 * HTML with untrusted text: templates of `html` escape every part that is not from such a template.
 */

import { hash } from 'node:crypto';
import { sanitizeLine } from '../core/text.ts';

const markup = Symbol('markup');

/** Safe HTML, which only `html` can make. */
export type Html = { readonly [markup]: string };

type Part = Html | readonly Html[] | string | number | undefined;

export function html(own: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = own.map((piece, index) => {
    const part = parts[index] ?? '';
    if (typeof part !== 'object') return piece + escapeText(String(part));
    return piece + (markup in part ? [part] : part).map((each) => each[markup]).join('');
  });
  return { [markup]: texts.join('') };
}

// One line without markup or characters that move the text beside it.
function escapeText(text: string): string {
  return sanitizeLine(text)
    .toWellFormed()
    .replaceAll(/[&<>"'`]/gu, (character) => `&#${character.charCodeAt(0)};`);
}

export function joinHtml(pieces: readonly Html[], separator: string): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : html`${separator}${piece}`))}`;
}

const style = `
:root {
  color-scheme: light dark;
  --quiet: light-dark(#59636e, #9aa4ae); --line: light-dark(#d1d9e0, #30363d);
  --raised: light-dark(#f6f8fa, #161b22); --link: light-dark(#0969da, #58a6ff);
  --red: light-dark(#b3151f, #ff8d86); --red-back: light-dark(#ffebe9, #3b1518);
  --amber: light-dark(#8a5a00, #e3b341); --amber-back: light-dark(#fff5d6, #33270b);
  --green: light-dark(#116329, #6bd17f); --green-back: light-dark(#e3f7e8, #12301b);
}
* { box-sizing: border-box; }
body {
  max-width: 68rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; overflow-wrap: anywhere;
  background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3);
  font: 15px/1.5 system-ui, sans-serif;
}
/* Text of files keeps to itself: what runs from right to left moves nothing beside it. */
code, pre, .place { font-family: ui-monospace, monospace; font-size: 0.87em; unicode-bidi: isolate; }
a { color: var(--link); }
.facts a { color: inherit; }
h1, h2, h3 { line-height: 1.25; }
h1 { padding-left: 0.6rem; border-left: 5px solid var(--line); font-size: 1.7rem; }
h1.error { border-color: var(--red); color: var(--red); }
h1.warning { border-color: var(--amber); }
h1.good { border-color: var(--green); }
h2 { margin: 1.75rem 0 0.5rem; font-size: 1.15rem; }
h3 { margin: 0.75rem 0 0.25rem; font-size: 1em; }
p, ul { margin: 0.25rem 0; }
ul { padding-left: 1.25rem; }
th, td { padding: 0.2em 1.5em 0.2em 0; text-align: left; vertical-align: top; }
.facts, .hint, .faint, .count, .sign, pre .gap, h3 .place { color: var(--quiet); }
.facts, .count, h3 .place { font-size: 0.9em; font-weight: 400; }
.note:is(.error, .warning) { padding: 0.6rem 0.8rem; border-radius: 0.4rem; font-weight: 600; }
.note.error, .badge:is(.error, .blocked, .breaking) { background: var(--red-back); }
.note.warning, .badge:is(.warning, .missing) { background: var(--amber-back); }
.badge {
  display: inline-block; padding: 0 0.6em; border: 1px solid var(--line); border-radius: 1em;
  font-size: 0.8em; font-weight: 600;
}
.badge:is(.error, .blocked, .breaking), span.error { color: var(--red); }
.badge:is(.warning, .missing), span.warning { color: var(--amber); }
.badge.good { background: var(--green-back); color: var(--green); }
.problems { padding: 0; list-style: none; }
.contract, .names, .problems li {
  margin: 0.4rem 0; border: 1px solid var(--line); border-left-width: 4px; border-radius: 0.4rem;
}
.problems li, summary { padding: 0.4rem 0.7rem; }
.contract.error, .problems .error { border-left-color: var(--red); }
.contract.warning, .problems .warning { border-left-color: var(--amber); }
.contract:target { outline: 2px solid var(--link); }
summary { cursor: pointer; }
summary .facts, .problems .facts { display: block; }
.name, .strong { font-weight: 600; }
.body { padding: 0.2rem 0.7rem 0.5rem; border-top: 1px solid var(--line); }
.names ul { padding: 0 0.7rem 0.5rem 1.9rem; columns: 28rem; }
pre { margin: 0.25rem 0; border: 1px solid var(--line); border-radius: 0.4rem; white-space: pre-wrap; }
pre span {
  display: block; padding: 0 0.7rem 0 calc(0.7rem + 2ch); text-indent: -2ch;
  direction: ltr; unicode-bidi: isolate;
}
pre .added { background: var(--green-back); }
pre .removed { background: var(--red-back); }
.sign.added, pre .added { color: var(--green); }
.sign.removed, pre .removed { color: var(--red); }
main > .facts { margin-top: 2rem; }
`;

// Only the page's own style, by the hash of the element's text (CSP 3 §2.3.1).
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Self-contained: no requests, no scripts. */
export function renderPage(title: string, body: Html): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
${body[markup]}
</body>
</html>
`;
}
