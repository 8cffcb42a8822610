/** A number of a JSON text that no double holds. It is compared and shown by its digits. */
export class InexactNumber {
  /** As written. */
  readonly text: string;
  /** The same text for equal numbers. */
  readonly canonical: string;

  constructor(text: string) {
    this.text = text;
    this.canonical = canonicalNumber(text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

export function exactNumber(value: number, text: string): number | InexactNumber {
  return isExact(text, value) ? value : new InexactNumber(text);
}

export function isExact(text: string, value: number): boolean {
  return canonicalNumber(text) === canonicalNumber(String(value));
}

const decimal = /^(?<sign>[-+]?)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?:e(?<exponent>[-+]?\d+))?$/iu;

function canonicalNumber(text: string): string {
  const { sign, whole = '', fraction = '', exponent = '0' } = decimal.exec(text)?.groups ?? {};
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return decimal.test(text) ? '0' : text;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${power}`;
}
