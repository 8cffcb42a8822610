/** Commands and flags of earlier versions, and what does their job now. */
const gone: Readonly<Record<string, string>> = {
  'apply --expect-plan':
    '`apply --plan FILE` does it now: it plans anew, and sends only what FILE shows.',
  'plan --expect-plan':
    '`plan --expect-hash` takes the hash in FILE; `apply --plan FILE` compares with FILE itself.',
  whoami: '`contract-sync doctor` says whose token a run uses, and why.',
  'pull --at':
    '`contract-sync rollback NAME --to VERSION` returns the contract; `pull` then updates its file.',
  'pull --credit': '`contract-sync history` says who edited a contract, and when.',
  'pull --new': '`contract-sync import` writes files for contracts that have none.',
  'pull --into': '`contract-sync import --into PATH` writes files for contracts that have none.',
  'pull --format': '`contract-sync import --format` writes files for contracts that have none.',
  'rollback --whole':
    'A rollback returns the fields that a file can manage; set others in the catalog.',
  'sandbox --data': 'A sandbox keeps its contracts in memory.',
  'sandbox --issuer': 'Pass --token-file with a token of the issuer.',
  'sandbox --audience': 'Pass --token-file with a token of the issuer.',
  'sandbox --latency': 'A sandbox answers at once.',
};

/** What does the job of a command or a flag that is gone; undefined of any other. */
export function jobOfGone(...words: readonly string[]): string | undefined {
  const name = words.join(' ');
  return Object.hasOwn(gone, name) ? gone[name] : undefined;
}
