/** Whether so many slips make one text of the other: a letter too few, too many, wrong, or swapped. */
export function isWithin(a: string, b: string, slips: number): boolean {
  if (Math.abs(a.length - b.length) > slips) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at === a.length && at === b.length) return true;
  if (slips === 0) return false;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0];
  return (
    isWithin(restA.slice(1), restB.slice(1), slips - 1) ||
    isWithin(restA.slice(1), restB, slips - 1) ||
    isWithin(restA, restB.slice(1), slips - 1) ||
    (isSwapped && isWithin(restA.slice(2), restB.slice(2), slips - 1))
  );
}

/** Texts by what is left of them without a letter: what one slip apart is shares one of these. */
export function withoutALetter(text: string): string[] {
  return [text, ...Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))];
}
