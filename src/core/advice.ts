/** Sentences with slots, which the command line, the Action and the library each word. */

/** One face's words by slot; a missing slot has the command line's. */
export type Slots = Readonly<Record<string, string>>;

/** Text of users and servers is a plain string, so nothing in it is taken for a slot. */
export type Wording = string | ((slots: Slots) => string);

export function wording(texts: TemplateStringsArray, ...parts: readonly Wording[]): Wording {
  return (slots) => String.raw({ raw: texts }, ...parts.map((part) => fill(part, slots)));
}

export function slot(name: string, inTerminal: Wording = `--${name}`): Wording {
  return (slots) => slots[name] ?? fill(inTerminal, slots);
}

export function fill(text: Wording, slots: Slots): string {
  return typeof text === 'string' ? text : text(slots);
}

/** Symbols are no part of a JSON document. */
export const unworded: unique symbol = Symbol('unworded');

type Unworded = { readonly [unworded]?: { readonly hint?: Wording; readonly message?: Wording } };

/** A hint in the words of the command line, with what `reword` needs. */
export function advise(hint: Wording): { readonly hint: string } {
  return keep({ hint: fill(hint, {}) }, { hint });
}

export function state(message: Wording, hint: Wording) {
  return keep({ message: fill(message, {}), hint: fill(hint, {}) }, { message, hint });
}

function keep<Texts>(texts: Texts, text: Unworded[typeof unworded]): Texts {
  return { ...texts, [unworded]: text };
}

/** With its slots, for a problem that is derived from this one. */
export function hintOf(problem: { readonly hint?: string | undefined } & Unworded) {
  return problem[unworded]?.hint ?? problem.hint;
}

/** Fills slots whose words are known by now; the others stay open. */
export function fillSlots<Each extends object>(problem: Each & Unworded, known: Slots): Each {
  const { hint, message } = problem[unworded] ?? {};
  if (message === undefined) return problem;
  const open = (text: Wording) => (slots: Slots) => fill(text, { ...slots, ...known });
  return { ...problem, ...state(open(message), open(hint ?? '')) };
}

/** A text that was replaced since it was made stays as it is. */
export function reword<Each extends object>(problem: Each & Unworded, slots: Slots): Each {
  const others = Object.entries(problem[unworded] ?? {})
    .filter(([member, text]) => Reflect.get(problem, member) === fill(text, {}))
    .map(([member, text]) => [member, fill(text, slots)]);
  const reworded = { ...problem, ...Object.fromEntries(others) };
  Reflect.deleteProperty(reworded, unworded);
  return reworded;
}
