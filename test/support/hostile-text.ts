import fc from 'fast-check';

const signs =
  "a|word |\n|\n\n| |  |\t|:|: | #|#|-|- |?|? |??|,|[|]|{|}|&|*|!|>|'|%|@|`|\\|=|<<|~|null|yes";
const others =
  '1|0x|1e5|e|.|+|_|2024-01-01|12:30|---|...|"|\u0000|\u001b|\u007f|\u0085|\u0092|\u00a0';
const odd = '\u200b|\u2028|\u2029|\ufeff|\ufffd|\ufffe|\uffff|\u{1f600}|\r|\r\n';
const pieces = ['|', 'long '.repeat(20), ...`${signs}|${others}|${odd}`.split('|')];

/** Texts that YAML, terminals and file systems read otherwise. */
export const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((all) => all.join('')),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
);
