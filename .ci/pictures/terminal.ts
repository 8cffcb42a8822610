/** A terminal's output as SVG, coloured by its escape sequences. */

import { stripVTControlCharacters } from 'node:util';

type Style = { readonly colour?: string; readonly isBold?: boolean; readonly isDim?: boolean };

// SGR parameters (ECMA-48 §8.3.117) that the command line writes; each leaves the others as they
// are.
const changes: Readonly<Record<string, Style>> = {
  0: { colour: '', isBold: false, isDim: false },
  1: { isBold: true },
  2: { isDim: true },
  22: { isBold: false, isDim: false },
  31: { colour: '#ff7b72' },
  32: { colour: '#7ee787' },
  33: { colour: '#e3b341' },
  34: { colour: '#79c0ff' },
  35: { colour: '#d2a8ff' },
  36: { colour: '#76e3ea' },
  39: { colour: '' },
  90: { colour: '#8b949e' },
};

// Pixels.
const lineHeight = 18;
const charWidth = 7.83;
const margin = 16;

// Characters: a row as wide as the text on a page of GitHub, which then does not scale it.
const columns = 105;

export function terminalSvg(output: string): string {
  const whole = output.replace(/\n$/u, '').split('\n');
  const lines = whole.flatMap((line) => rowsOf(wrapWords(line)));
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const rows = lines.map((spans, row) => {
    const y = margin + row * lineHeight + 13;
    return `<text x="${margin}" y="${y}">${spans.map(spanMarkup).join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>text { font: 13px ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; fill: #e6edf3; white-space: pre }</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#30363d"/>
${rows.join('\n')}
</svg>
`;
}

// Between words; further rows are indented by two more columns.
function wrapWords(line: string): string[] {
  const indent = ' '.repeat(2 + stripVTControlCharacters(line).search(/[^ ]|$/u));
  const rows: string[] = [];
  let row = '';
  for (const word of line.split(/(?<=\S)(?= )/u)) {
    if (row !== '' && stripVTControlCharacters(row + word).length > columns) {
      rows.push(row);
      row = indent + word.trimStart();
    } else row += word;
  }
  return [...rows, row];
}

type Span = { readonly text: string; readonly style: Style };

// A row goes on in the style in which the one before it ends.
function rowsOf(rows: readonly string[]): Span[][] {
  let style: Style = {};
  return rows.map((row) => {
    const spans = spansOf(row, style);
    style = spans.at(-1)?.style ?? {};
    return spans.filter(({ text }) => text !== '');
  });
}

function spansOf(line: string, before: Style): Span[] {
  const [start = '', ...pieces] = line.split('\u001B[');
  const spans: Span[] = [{ text: start, style: before }];
  for (const piece of pieces) {
    const end = piece.indexOf('m');
    const asked = piece.slice(0, end).split(';');
    const style: Style = Object.assign(
      { ...spans.at(-1)?.style },
      ...asked.map((parameter) => changes[parameter]),
    );
    spans.push({ text: piece.slice(end + 1), style });
  }
  return spans;
}

function spanMarkup({ text, style: { colour = '', isBold, isDim } }: Span): string {
  const attributes = [
    ...(colour === '' ? [] : [` fill="${colour}"`]),
    ...(isBold ? [' font-weight="bold"'] : []),
    ...(isDim ? [' opacity="0.65"'] : []),
  ];
  const escaped = text.replaceAll(/[&<>]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
  return attributes.length === 0 ? escaped : `<tspan${attributes.join('')}>${escaped}</tspan>`;
}
