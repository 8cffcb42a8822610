import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** What the colours of a text mean; which text is shown never depends on them. */
export type Palette = {
  readonly added: Paint;
  readonly removed: Paint;
  readonly changed: Paint;
  readonly faint: Paint;
  readonly strong: Paint;
  readonly error: Paint;
  readonly warning: Paint;
  readonly good: Paint;
};

type Format = Parameters<typeof styleText>[0];

/** Whether the terminal wants colour is the caller's to know, so the stream is not asked here. */
function paint(format: Format): Paint {
  return (text) => styleText(format, text, { validateStream: false });
}

export const coloured: Palette = {
  added: paint('green'),
  removed: paint('red'),
  changed: paint('yellow'),
  faint: paint('dim'),
  strong: paint('bold'),
  error: paint(['red', 'bold']),
  warning: paint('yellow'),
  good: paint('green'),
};

const same: Paint = (text) => text;

export const plain: Palette = {
  added: same,
  removed: same,
  changed: same,
  faint: same,
  strong: same,
  error: same,
  warning: same,
  good: same,
};
