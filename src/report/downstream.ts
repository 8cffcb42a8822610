import type { DownstreamAsset } from '../contract/lineage.ts';
import { count } from '../core/text.ts';
import type { Downstream } from '../plan/plan.ts';
import { note, type Phrase, type Report, type Words } from './blocks.ts';

/** By an owner's name, the GitHub handle that a comment mentions. */
export type Handles = Readonly<Record<string, string>>;

// The plan as JSON has all of them.
const mostAssets = 10;
const mostOfEach = 3;

/** `read by  orders_daily.amount (finance) · dashboard Revenue (finance, contract Active)`. */
export function downstreamWords(downstream: Downstream, handles: Handles = {}): Words {
  if ('unknown' in downstream) return faint(`downstream unknown: ${downstream.unknown}`);
  const { assets, contractsUnread, moreThanReviewed: more = 0 } = downstream;
  // Not "nobody reads it": a catalog knows only the lineage that was reported to it.
  if (assets.length === 0) return faint("no downstream assets in the catalog's lineage");
  const left = assets.length - mostAssets;
  const grown = count(more, 'more downstream asset', 'more downstream assets');
  const parts = [
    ...assets.slice(0, mostAssets).map((asset) => readerWords(asset, handles)),
    ...(left > 0 ? [faint(`${left} more`)] : []),
    ...(contractsUnread ? [faint('their contracts were not asked for')] : []),
    ...(more > 0 ? [faint(`${grown} than when it was reviewed`)] : []),
  ];
  return [...faint('read by'), '  ', ...join(parts, ' · ')];
}

function faint(text: string): Words {
  return [{ text, as: 'faint' }];
}

function join(parts: readonly Words[], separator: string): Words {
  return parts.flatMap((words, index) => (index === 0 ? words : [separator, ...words]));
}

const open: Phrase = { text: ' (', as: 'own' };
const close: Phrase = { text: ')', as: 'own' };

function readerWords(asset: DownstreamAsset, handles: Handles = {}): Words {
  const { type, name, columns, owners, contract } = asset;
  const asides: readonly Words[] = [
    ...ownerWords(owners ?? ['owners unknown'], handles),
    ...(columns?.length === 0 ? [['other columns']] : []),
    ...(contract ? [[`contract ${contract.status ?? 'without a status'}`]] : []),
  ];
  const text = `${type === 'table' ? '' : `${type} `}${name}${columnText(columns)}`;
  const code = { text, as: 'code' } as const;
  return asides.length > 0 ? [code, open, ...join(asides, ', '), close] : [code];
}

// The schema of the configuration lets no other Markdown through than a handle.
function ownerWords(owners: readonly string[], handles: Handles): readonly Words[] {
  const left = owners.length - mostOfEach;
  return [
    ...owners.slice(0, mostOfEach).map((owner): Words => {
      const handle = Object.hasOwn(handles, owner) ? handles[owner] : undefined;
      return [handle === undefined ? owner : { text: handle.replace(/^@?/u, '@'), as: 'own' }];
    }),
    ...(left > 0 ? [[count(left, 'more owner', 'more owners')]] : []),
  ];
}

function columnText(columns: DownstreamAsset['columns'] = []): string {
  const [first, ...others] = columns.slice(0, mostOfEach);
  if (others.length === 0) return first === undefined ? '' : `.${first}`;
  const more = columns.length > mostOfEach ? ', …' : '';
  return `.{${[first, ...others].join(', ')}${more}}`;
}

export type DownstreamView = {
  readonly contract: string;
  readonly id: string;
  readonly file?: string | undefined;
  readonly downstream: Downstream;
};

export function downstreamPage({ contract, file, downstream }: DownstreamView): Report {
  const assets = 'unknown' in downstream ? [] : downstream.assets;
  const rows = assets.map((asset) => ({
    cells: [readerWords(asset), [count(asset.distance, 'step', 'steps')]],
  }));
  const none = note(downstreamWords(downstream));
  const place: Words = file === undefined ? [] : ['  ', { text: file, as: 'faint' }];
  return {
    blocks: [
      { kind: 'heading', words: [{ text: contract, as: 'code' }, ...place] },
      rows.length === 0 ? none : { kind: 'table', columns: ['Asset', 'Distance'], rows },
    ],
  };
}
