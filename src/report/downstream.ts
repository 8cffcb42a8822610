/** What is downstream of a contract, for any medium. */

import { count } from '../core/text.ts';
import type { DownstreamAsset } from '../contract/lineage.ts';
import type { Downstream } from '../plan/plan.ts';
import { type DownstreamReport, note, type Report, type Words } from './blocks.ts';

/** By an owner's name, the GitHub handle that a comment mentions. */
export type Handles = Readonly<Record<string, string>>;

// The plan as JSON has all of them.
const mostAssets = 10;
const mostOfEach = 3;

export function describeDownstream(
  downstream: Downstream,
  handles: Handles = {},
  most = mostAssets,
): DownstreamReport {
  if ('unknown' in downstream)
    return { lead: `downstream unknown: ${downstream.unknown}`, readers: [], rest: [] };
  const { assets, contractsUnread, moreThanReviewed: more = 0 } = downstream;
  // Which is not nobody: a catalog knows what it was told.
  const lead = assets.length > 0 ? 'read by' : "no downstream assets in the catalog's lineage";
  const left = assets.length - most;
  const grown = count(more, 'more downstream asset', 'more downstream assets');
  return {
    lead,
    readers: assets.slice(0, most).map((asset) => describeReader(asset, handles)),
    rest: [
      ...(left > 0 ? [`${left} more`] : []),
      ...(contractsUnread ? ['their contracts were not asked for'] : []),
      ...(more > 0 ? [`${grown} than when it was reviewed`] : []),
    ],
  };
}

function describeReader(
  { type, name, columns, owners, contract }: DownstreamAsset,
  handles: Handles,
): DownstreamReport['readers'][number] {
  const whole = type === 'table' ? name : `${type} ${name}`;
  const left = (owners?.length ?? 0) - mostOfEach;
  return {
    name: whole + columnText(columns),
    owners: (owners ?? []).slice(0, mostOfEach).map((owner) => {
      const handle = Object.hasOwn(handles, owner) ? handles[owner] : undefined;
      return { name: owner, mention: handle && `@${handle.replace(/^@/u, '')}` };
    }),
    aside: [
      ...(left > 0 ? [count(left, 'more owner', 'more owners')] : []),
      ...(owners ? [] : ['owners unknown']),
      ...(columns?.length === 0 ? ['other columns'] : []),
      ...(contract ? [`contract ${contract.status ?? 'without a status'}`] : []),
    ],
  };
}

export function downstreamPage({ contract, file, downstream }: DownstreamView): Report {
  const { lead, readers } = describeDownstream(downstream, {}, Infinity);
  const assets = 'unknown' in downstream ? [] : downstream.assets;
  const rows = readers.map(({ name, owners, aside }, index) => ({
    cells: [
      [{ text: name, as: 'code' }],
      [count(assets[index]?.distance ?? 0, 'step', 'steps')],
      [[...owners.map((owner) => owner.name), ...aside].join(', ')],
    ] satisfies Words[],
  }));
  const title: Words = [
    { text: contract, as: 'code' },
    ...(file === undefined ? [] : (['  ', { text: file, as: 'faint' }] as const)),
  ];
  return {
    blocks: [
      { kind: 'heading', words: title },
      rows.length === 0
        ? note(`${lead[0]?.toUpperCase()}${lead.slice(1)}`)
        : { kind: 'table', columns: ['Asset', 'Distance', 'Owners'], rows },
    ],
  };
}

export type DownstreamView = {
  readonly contract: string;
  readonly id: string;
  readonly file?: string | undefined;
  readonly downstream: Downstream;
};

// `.amount`, `.{amount, net}`.
function columnText(columns: DownstreamAsset['columns'] = []): string {
  if (columns.length < 2) return columns.map((column) => `.${column}`).join('');
  const more = columns.length > mostOfEach ? ['…'] : [];
  return `.{${[...columns.slice(0, mostOfEach), ...more].join(', ')}}`;
}

/** `orders_daily.amount (finance, contract Active)`. */
export function readerText({ name, owners, aside }: DownstreamReport['readers'][number]): string {
  const words = [...owners.map((owner) => owner.name), ...aside].join(', ');
  return words === '' ? name : `${name} (${words})`;
}
