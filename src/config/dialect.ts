import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { ConfigFile, LoadedConfig } from './file.ts';

/** What `standard` was called before. */
export const formerStandard = 'documented';

/** The kind of catalog that is configured. */
export function dialectOf({ catalog = {} }: ConfigFile): DialectSetting {
  const { dialect = 'auto' } = catalog;
  return dialect === formerStandard ? 'standard' : dialect;
}

/** A word on a configuration that has the former name. */
export function formerDialect({ settings, locate }: LoadedConfig): Diagnostic[] {
  if (settings.catalog?.dialect !== formerStandard) return [];
  return [{ ...renamed('catalog.dialect: '), source: locate(['catalog', 'dialect']) }];
}

/** `setting` is what stands in front of the name: a key with its colon, or a flag. */
export function renamed(setting: string): Diagnostic {
  return {
    code: 'dialect-renamed',
    severity: 'information',
    message: `The dialect ${formerStandard} is called standard now.`,
    hint: `Write \`${setting}standard\`.`,
  };
}
