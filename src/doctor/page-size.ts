import type { Sample } from '../catalog/probe.ts';
import type { Check } from './examination.ts';

const subject = 'page size';

/** The size that `auto` grows to on a large catalog. */
const large = 1000;

export function wantedPageSize(setting: number | 'auto'): number {
  return setting === 'auto' ? large : setting;
}

/** Whether the catalog gives pages of that size; without a page it has refused one. */
export function checkPageSize(limit: number, page: Sample | undefined): Check {
  if (!page) return smaller(limit, `a page of ${limit} is refused`);
  const { contracts, total = contracts.length } = page;
  const due = Math.min(limit, total);
  if (contracts.length < due) {
    return smaller(limit, `a page of ${limit} holds ${contracts.length}`);
  }
  const message =
    total < limit
      ? `${limit} may be asked for; all ${total} come at once`
      : `${limit} come at once`;
  return { subject, verdict: 'good', message };
}

function smaller(limit: number, message: string): Check {
  return {
    subject,
    verdict: 'warning',
    message,
    hint:
      limit > large
        ? `Smaller pages are asked for instead; --page-size ${large} saves the attempt.`
        : 'Smaller pages are asked for instead, so reading a large catalog takes more requests.',
  };
}
