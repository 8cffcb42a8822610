import { parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export type PageElement = {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of it and all that it holds. */
  readonly text: string;
};

/** The elements that a browser makes of a page, in their order. */
export function elementsOf(page: string): PageElement[] {
  return walk(parse(page));
}

/** What a browser would have to mend. */
export function parseErrorsOf(page: string): string[] {
  const errors: string[] = [];
  parse(page, { onParseError: ({ code }) => errors.push(code) });
  return errors;
}

function walk(node: Node): PageElement[] {
  const own = isElement(node) ? [describe(node)] : [];
  return [...own, ...childrenOf(node).flatMap(walk)];
}

function describe(element: Element): PageElement {
  const attributes = element.attrs.map(({ name, value }) => [name, value]);
  return {
    tag: element.tagName,
    attributes: Object.fromEntries(attributes),
    text: textOf(element),
  };
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return childrenOf(node).map(textOf).join('');
}

function childrenOf(node: Node): readonly Node[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}
