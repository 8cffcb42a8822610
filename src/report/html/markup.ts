/**
 * HTML out of untrusted text. What is put into a template of `html` is escaped unless such a
 * template has made it: no text gets into a page by another way.
 */

import { sanitizeLine } from '../../core/text.ts';

const markup = Symbol('markup');

/** HTML that is safe as it stands; none but `html` can make it. */
export type Html = { readonly [markup]: string };

type Part = Html | readonly Html[] | string | number | undefined;

/** HTML of our own with texts in it, between tags or in an attribute's quotes. */
export function html(own: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = own.map((piece, index) => piece + renderPart(parts[index])).join('');
  return { [markup]: text };
}

function renderPart(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return markup in part ? part[markup] : part.map((piece) => piece[markup]).join('');
}

/** One line in which nothing is markup, and nothing moves what stands beside it. */
function escapeText(text: string): string {
  return sanitizeLine(text)
    .toWellFormed()
    .replaceAll(/[&<>"'`]/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/** The HTML as text. */
export function htmlText(part: Html): string {
  return part[markup];
}

export const nothing = html``;

/** Pieces with words between them. */
export function joinHtml(pieces: readonly Html[], separator: string): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : html`${separator}${piece}`))}`;
}
