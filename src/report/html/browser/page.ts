/** What a reader can do with the page: search, filter, fold, follow a link to a contract. */

function all<Kind extends HTMLElement>(selector: string, root: ParentNode = document): Kind[] {
  return [...root.querySelectorAll<Kind>(selector)];
}

const entries = all('[data-entry]');
const mirrors = all('[data-mirror]');
const sections = all('[data-counted]');
const chips = all<HTMLButtonElement>('[data-facet]');
const [toolbar] = all('[data-toolbar]');
const [search] = all<HTMLInputElement>('[data-search]');
const [shown] = all('[data-shown]');

/** Of each entry all that can be read in it, in lower case, once somebody searches. */
const texts = new Map<HTMLElement, string>();

function textOf(entry: HTMLElement): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = entry.textContent.toLowerCase();
  texts.set(entry, text);
  return text;
}

/** Every word that is searched for stands somewhere in the entry. */
function isFound(entry: HTMLElement): boolean {
  const words = (search?.value ?? '').toLowerCase().split(/\s+/u);
  return words.every((word) => word === '' || textOf(entry).includes(word));
}

function holds(entry: HTMLElement, { dataset }: HTMLButtonElement): boolean {
  const values = entry.dataset[dataset['facet'] ?? ''] ?? '';
  return values.split(' ').includes(dataset['value'] ?? '');
}

function isPressed(chip: HTMLButtonElement): boolean {
  return chip.getAttribute('aria-pressed') === 'true';
}

/** Of one facet any value that is chosen, of different ones each; `apart` is left out. */
function isChosen(entry: HTMLElement, apart?: string): boolean {
  const chosen = chips.filter((chip) => isPressed(chip) && chip.dataset['facet'] !== apart);
  return chosen.every((chip) =>
    chosen.some((other) => other.dataset['facet'] === chip.dataset['facet'] && holds(entry, other)),
  );
}

function applyFilter(): void {
  const found = entries.filter(isFound);
  const seen = new Set(found.filter((entry) => isChosen(entry)));
  for (const entry of entries) entry.hidden = !seen.has(entry);
  for (const mirror of mirrors) mirror.hidden = isHidden(mirror.dataset['mirror'] ?? '');
  for (const section of sections) countSection(section);
  for (const chip of chips) countChip(chip, found);
  if (shown) shown.textContent = `${seen.size} of ${entries.length}`;
}

/** What the page tells of an entry elsewhere goes with it. */
function isHidden(name: string): boolean {
  return Boolean(document.getElementById(name)?.hidden);
}

function countSection(section: HTMLElement): void {
  const left = all('[data-entry], [data-mirror]', section).filter(({ hidden }) => !hidden).length;
  const [count] = all('[data-count]', section);
  if (count) count.textContent = String(left);
  section.hidden = left === 0;
}

/** How many there would be of it, whatever else of its facet is chosen. */
function countChip(chip: HTMLButtonElement, found: readonly HTMLElement[]): void {
  const left = found.filter(
    (entry) => holds(entry, chip) && isChosen(entry, chip.dataset['facet']),
  );
  const [of] = all('[data-of]', chip);
  if (of) of.textContent = String(left.length);
}

/** What holds of no entry, or of each, is no choice. */
function hideIdleChips(): void {
  for (const facet of all('[data-facets]')) {
    const choices = all<HTMLButtonElement>('[data-facet]', facet);
    for (const chip of choices) chip.hidden = !entries.some((entry) => holds(entry, chip));
    facet.hidden = choices.filter(({ hidden }) => !hidden).length < 2;
  }
}

function clearFilter(): void {
  if (search) search.value = '';
  for (const chip of chips) chip.setAttribute('aria-pressed', 'false');
  applyFilter();
}

/** The contract that the address names is shown, whatever was filtered or folded. */
function followAddress(): void {
  const target = document.getElementById(nameInAddress());
  if (!target) return;
  if (target.closest('[hidden]')) clearFilter();
  for (let part: Element | null = target; part; part = part.parentElement) {
    if (part instanceof HTMLDetailsElement) part.open = true;
  }
  target.scrollIntoView();
}

function nameInAddress(): string {
  const name = location.hash.slice(1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function fold(open: boolean): void {
  for (const entry of entries) {
    if (entry instanceof HTMLDetailsElement && !entry.hidden) entry.open = open;
  }
}

/** `/` leads to the search from everywhere, Escape back from it. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && event.target === search) {
    clearFilter();
    search?.blur();
  }
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) return;
  event.preventDefault();
  search?.focus();
}

for (const chip of chips) {
  chip.addEventListener('click', () => {
    chip.setAttribute('aria-pressed', String(!isPressed(chip)));
    applyFilter();
  });
}
for (const button of all('[data-fold]')) {
  button.addEventListener('click', () => fold(button.dataset['fold'] === 'open'));
}
// To the name that the address has already, the browser goes without an event.
for (const link of all<HTMLAnchorElement>('a[href^="#"]')) {
  link.addEventListener('click', () => {
    if (link.hash === location.hash) followAddress();
  });
}
search?.addEventListener('input', applyFilter);
document.addEventListener('keydown', onKey);
addEventListener('hashchange', followAddress);
hideIdleChips();
applyFilter();
if (toolbar) toolbar.hidden = entries.length === 0;
followAddress();
