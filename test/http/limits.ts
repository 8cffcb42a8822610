/** How servers limit requests: each tells the milliseconds to wait, or 0 for a request it takes. */
export type Limit = (now: number) => number;

/** So many a second, and so many at once after a rest; what is refused counts for nothing. */
export function bucket(perSecond: number, size: number): Limit {
  let tokens = size;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(size, tokens + ((now - filledAt) * perSecond) / 1000);
    filledAt = now;
    // Sums of fractions: a thousandth of a token is not missed.
    if (tokens < 0.999) return ((1 - tokens) * 1000) / perSecond;
    tokens -= 1;
    return 0;
  };
}

/** So many in each second of the clock. */
export function seconds(perSecond: number): Limit {
  let second = -1;
  let taken = 0;
  return (now) => {
    if (Math.floor(now / 1000) !== second) taken = 0;
    second = Math.floor(now / 1000);
    taken += 1;
    return taken <= perSecond ? 0 : (second + 1) * 1000 - now;
  };
}

/** So many in any thousand milliseconds. */
export function slidingSecond(perSecond: number): Limit {
  let taken: readonly number[] = [];
  return (now) => {
    taken = taken.filter((time) => time > now - 1000);
    const [first = now] = taken;
    if (taken.length >= perSecond) return first + 1000 - now;
    taken = [...taken, now];
    return 0;
  };
}

/** Every so many-th is refused, whenever it comes. */
export function everyNth(n: number): Limit {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0 ? 1 : 0;
  };
}

/** Refuses this part of all requests. */
export function atRandom(part: number, random: () => number): Limit {
  return () => (random() < part ? 1 : 0);
}
