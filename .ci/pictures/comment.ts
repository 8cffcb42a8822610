/** The first blocks of a comment as SVG, as GitHub shows them: its title, its alert and its table. */

// Pixels, and characters of a line.
const lineHeight = 22;
const margin = 20;
const width = 860;
const columnsAt = [0, 330, 500, 680];

export function commentSvg(markdown: string): string {
  const lines = markdown.split('\n').filter((line) => line.trim() !== '');
  const rows: string[] = [];
  let y = margin;
  const write = (x: number, text: string, style = ''): string =>
    `<text x="${margin + x}" y="${y}"${style}>${escape(text)}</text>`;
  for (const line of lines) {
    y += lineHeight;
    if (line.startsWith('## ')) rows.push(write(0, plainText(line.slice(3)), ' class="title"'));
    else if (line.startsWith('> [!')) {
      y -= lineHeight;
      const isGrave = line.includes('CAUTION');
      rows.push(
        `<rect x="${margin}" y="${y + 8}" width="4" height="${lineHeight}" fill="${isGrave ? '#cf222e' : '#9a6700'}"/>`,
      );
    } else if (line.startsWith('> ')) rows.push(write(16, plainText(line.slice(2))));
    else if (line.startsWith('| -')) {
      y -= lineHeight;
      rows.push(`<path d="M${margin} ${y + 7}H${width - margin}" stroke="#d1d9e0"/>`);
    } else if (line.startsWith('| ')) {
      const isHead = rows.every((row) => !row.includes('class="cell"'));
      for (const [index, cell] of line.split('|').slice(1, -1).entries())
        rows.push(
          write(
            columnsAt[index] ?? 0,
            plainText(cell),
            isHead ? ' class="cell" font-weight="600"' : ' class="cell"',
          ),
        );
    }
  }
  const height = y + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>text { font: 14px -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif; fill: #1f2328 } .title { font-size: 19px; font-weight: 600 } .cell { font-size: 12px }</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="#ffffff" stroke="#d1d9e0"/>
${rows.join('\n')}
</svg>
`;
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<\/?\w+>|[`*]/gu, '')
    .replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code)))
    .trim();
}

function escape(text: string): string {
  return text.replaceAll(/[<>&]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}
