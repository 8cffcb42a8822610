import { type Html, html } from './markup.ts';

/** What a reader can filter by: the name of an attribute of each entry, and the words it may hold. */
type Facet = {
  readonly title: string;
  readonly name: 'verdict' | 'gravity' | 'cause';
  readonly values: Readonly<Record<string, string>>;
};

const facets: readonly Facet[] = [
  {
    title: 'Action',
    name: 'verdict',
    values: {
      blocked: 'blocked',
      create: 'create',
      update: 'update',
      transition: 'status transition',
      missing: 'missing',
      unchanged: 'unchanged',
      unmanaged: 'unmanaged',
    },
  },
  {
    title: 'Gravity',
    name: 'gravity',
    values: { error: 'error', breaking: 'breaking', warning: 'warning', good: 'none' },
  },
  { title: 'Cause', name: 'cause', values: { file: 'file', drift: 'drift' } },
];

/** Search, filters and folding; without scripts it stays hidden, and all entries are seen. */
export function toolbar(): Html {
  return html` <div class="toolbar" role="search" data-toolbar hidden>
    <div class="row">
      <input
        type="search"
        data-search
        aria-label="Search"
        placeholder="Search names, files and values ( / )"
        autocomplete="off"
        spellcheck="false"
      />
      <output data-shown></output>
    </div>
    <div class="row filters">
      ${facets.map(renderFacet)}
      <div class="folds">
        <button type="button" data-fold="open">Open all</button>
        <button type="button" data-fold="close">Close all</button>
      </div>
    </div>
  </div>`;
}

/** The script hides what holds of no entry, and counts the rest. */
function renderFacet({ title, name, values }: Facet): Html {
  const buttons = Object.entries(values).map(
    ([value, words]) =>
      html` <button type="button" data-facet="${name}" data-value="${value}" aria-pressed="false">
        ${words} <span data-of></span>
      </button>`,
  );
  return html` <div role="group" aria-label="${title}" data-facets>${buttons}</div>`;
}
