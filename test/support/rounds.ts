/** `PROPERTY_ROUNDS=10` tries ten times as many cases, which takes ten times as long. */
const times = Number(process.env['PROPERTY_ROUNDS'] ?? 1);

/** How many cases a property is tried with. */
export function rounds(usual: number): number {
  return Math.ceil(usual * times);
}
