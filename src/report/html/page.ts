import { hash } from 'node:crypto';
import { type Html, html, htmlText } from './markup.ts';
import { style } from './style.ts';

/** The page needs nothing but its own style: the hash is that of the element's text (CSP 3 §2.3.1). */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** One file that holds all it needs: it asks for nothing, and runs no script. */
export function renderPage(title: string, body: Html): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${htmlText(html`<title>${title}</title>`)}
<style>${style}</style>
</head>
<body>
${htmlText(body)}
</body>
</html>
`;
}
