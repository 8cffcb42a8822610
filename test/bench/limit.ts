/** A figure and the most that it may be; figures are ratios in one run, or megabytes. */
export type Limit = { readonly figure: string; readonly value: number; readonly limit: number };

export function isMissed({ value, limit }: Limit): boolean {
  return !(value <= limit);
}

/** The last line of a benchmark. */
export function verdictOf(limits: readonly Limit[]): string {
  const missed = limits.filter(isMissed);
  if (limits.length === 0) return 'No limits.';
  if (missed.length === 0) return `All limits hold (${limits.length}).`;
  const named = missed.map(({ figure, value, limit }) => `${figure}: ${rounded(value)} (${limit})`);
  return `${missed.length} of ${limits.length} limits missed: ${named.join('; ')}.`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
