/** Commands and flags of earlier versions, and what does their job now. */
const gone: Readonly<Record<string, string>> = {
  whoami: '`contract-sync doctor` says whose token a run uses, and why.',
  'sandbox --data': 'A sandbox keeps its contracts in memory.',
  'sandbox --issuer': 'Pass --token-file with a token of the issuer.',
  'sandbox --audience': 'Pass --token-file with a token of the issuer.',
  'sandbox --latency': 'A sandbox answers at once.',
};

/** What does the job of a command or a flag that is gone; undefined of any other. */
export function jobOfGone(...words: readonly string[]): string | undefined {
  return gone[words.join(' ')];
}
