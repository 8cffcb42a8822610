import { parseNamePattern } from '../contract/name-pattern.ts';
import { patternInCatalog } from '../contract/rename.ts';
import { parsePattern } from '../patch/pattern.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { WrittenPattern } from '../plan/rules.ts';
import type { LoadedConfig } from './file.ts';

/** All patterns of the configuration that name contracts, or what is in them. */
export function writtenPatterns({ settings, locate }: LoadedConfig): WrittenPattern[] {
  const {
    protected: unchangeable = [],
    scope = [],
    allow = [],
    ignore = [],
    patch,
    names = [],
  } = settings;
  const named = (setting: string, text: string, pointer: Pointer): WrittenPattern => ({
    kind: 'name',
    setting,
    text,
    pattern: parseNamePattern(patternInCatalog(text, names)),
    source: locate(pointer),
  });
  return [
    ...unchangeable.map((text, index) => named('protected', text, ['protected', String(index)])),
    ...scope.map((text, index) => named('scope', text, ['scope', String(index)])),
    ...allow.map(({ contract }, index) =>
      named('allow', contract, ['allow', String(index), 'contract']),
    ),
    ...ignore.flatMap((text, index): WrittenPattern[] => {
      const pattern = parsePattern(text);
      const source = locate(['ignore', String(index)]);
      return pattern ? [{ kind: 'pointer', setting: 'ignore', text, pattern, source }] : [];
    }),
    ...Object.entries(patch?.keys ?? {}).map(([text, members]): WrittenPattern => {
      const source = locate(['patch', 'keys', text]);
      return { kind: 'key', setting: 'patch.keys', text, members, source };
    }),
  ];
}
