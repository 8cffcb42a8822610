/** Where a link leads: to a file of the repository, or to a contract of the page. */

import type { SourcePosition } from '../../core/diagnostic.ts';
import { sanitizeLine } from '../../core/text.ts';
import { linkToPlace, placeText } from '../place.ts';
import { type Html, html } from './markup.ts';

/** A place in a file as HTML. */
export type RenderSource = (source: SourcePosition, words?: string) => Html;

/** The place as a link below `base`, the page of the repository's files; without one as its name. */
export function sourcesBelow(base: string | undefined): RenderSource {
  return (source, words = placeText(source)) => {
    if (base === undefined || source.format === 'version')
      return html`<span class="place">${words}</span>`;
    return html`<a class="place" href="${linkToPlace(base, source)}">${words}</a>`;
  };
}

/** What an address ends with to lead to the contract: its name, in which nothing is blank. */
export function anchor(label: string): string {
  return sanitizeLine(label).toWellFormed().replaceAll(/\s/gu, '_');
}

/** The contract's name, as a link to it. */
export function linkToContract(label: string): Html {
  return html`<a href="#${encodeURIComponent(anchor(label))}"><code>${label}</code></a>`;
}
