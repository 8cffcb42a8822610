import { policy, script, style } from '../../generated/page.js';
import { type Html, html, htmlText } from './markup.ts';

/** One file that holds all it needs: it asks for nothing, and runs no script but its own. */
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
<script type="module">${script}</script>
</body>
</html>
`;
}
