import { styleText } from 'node:util';

export type Paint = (text: string) => string;

/** Colours by meaning; they never change which text is shown. */
export type Palette = Readonly<
  Record<'added' | 'removed' | 'changed' | 'faint' | 'strong' | 'error' | 'warning' | 'good', Paint>
>;

function makePalette(paint: (format: Parameters<typeof styleText>[0]) => Paint): Palette {
  return {
    added: paint('green'),
    removed: paint('red'),
    changed: paint('yellow'),
    faint: paint('dim'),
    strong: paint('bold'),
    error: paint(['red', 'bold']),
    warning: paint('yellow'),
    good: paint('green'),
  };
}

/** The caller decides whether the terminal wants colour. */
export const coloured = makePalette(
  (format) => (text) => styleText(format, text, { validateStream: false }),
);

export const plain = makePalette(() => (text) => text);

const signs = {
  added: '+',
  removed: '-',
  changed: '~',
  faint: '=',
  good: '✓',
  warning: '!',
  error: '✗',
} as const;

export function signOf(colour: keyof typeof signs, palette: Palette): string {
  return palette[colour](signs[colour]);
}
