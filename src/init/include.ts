/** Which files a configuration is to name, so that it means the contracts and nothing beside them. */

/** Names of files, relative to the folder of the configuration, with `/`. */
export type YamlFiles = {
  readonly contracts: readonly string[];
  /** YAML that is none, or that is left to another configuration. */
  readonly others: readonly string[];
};

/** One folder where that will do, else an ending that contracts alone have, else folders and files. */
export function chooseInclude(files: YamlFiles): readonly string[] {
  const folders = wholeFolders('', files);
  if (folders.length === 1) return folders;
  return ownEnding(files) ?? folders;
}

/** Where there are no contracts yet: what no other configuration has. */
export function includeToCome(configured: readonly string[]): readonly string[] {
  if (configured.includes('contracts')) return [anyYaml];
  const isShared = configured.some((folder) => folder.startsWith('contracts/'));
  return [isShared ? `contracts/${anyYaml}` : 'contracts'];
}

const anyYaml = '*.{yaml,yml}';

/** The uppermost folders in which all YAML is contracts; of others the files. */
function wholeFolders(folder: string, { contracts, others }: YamlFiles): readonly string[] {
  if (contracts.length === 0) return [];
  if (others.length === 0 && folder !== '') return [folder];
  const prefix = folder === '' ? '' : `${folder}/`;
  const isDirect = (file: string): boolean => !file.slice(prefix.length).includes('/');
  const direct = contracts.filter(isDirect);
  const isWhole = direct.length > 1 && !others.some(isDirect);
  const below = contracts.filter((file) => !isDirect(file));
  const children = new Set(below.map((file) => firstName(file, prefix)));
  return [
    ...(isWhole ? [`${prefix}${anyYaml}`] : direct),
    ...[...children].flatMap((name) => {
      const child = `${prefix}${name}`;
      const isInside = (file: string): boolean => file.startsWith(`${child}/`);
      return wholeFolders(child, {
        contracts: contracts.filter(isInside),
        others: others.filter(isInside),
      });
    }),
  ];
}

function firstName(file: string, prefix: string): string {
  return file.slice(prefix.length).split('/')[0] ?? '';
}

/** `*.odcs.yaml` or `contract.yaml`, anywhere below the folder that has all of them. */
function ownEnding({ contracts, others }: YamlFiles): readonly string[] | undefined {
  const endings = new Set(contracts.map(endingOf));
  const [ending = ''] = endings;
  const isTaken = others.some((file) => endingOf(file) === ending);
  return endings.size === 1 && !isTaken ? [`${commonFolder(contracts)}**/${ending}`] : undefined;
}

/** The whole name where it has one ending only: the same name in several folders is a custom too. */
function endingOf(file: string): string {
  const name = file.split('/').at(-1) ?? '';
  const [, ending] = /^[^.]+(\.[\w-]+\.ya?ml)$/u.exec(name) ?? [];
  return ending === undefined ? name : `*${ending}`;
}

function commonFolder([first = '', ...rest]: readonly string[]): string {
  const names = first.split('/').slice(0, -1);
  const differs = names.findIndex((_, at) => {
    const folder = `${names.slice(0, at + 1).join('/')}/`;
    return rest.some((file) => !file.startsWith(folder));
  });
  const common = differs < 0 ? names : names.slice(0, differs);
  return common.map((name) => `${name}/`).join('');
}

/** The same, or more, for GitHub, whose filters of paths know neither folders nor braces. */
export function pathFilters(include: readonly string[]): readonly string[] {
  return include.flatMap((name) => {
    const ends = ['yaml', 'yml'].map((ending) => name.replace('{yaml,yml}', ending));
    const plain = [...new Set(ends)].map((each) => (/\.ya?ml$/u.test(each) ? each : `${each}/**`));
    return plain.every((each) => /^[\w.*/ -]+$/u.test(each) && !each.includes('..'))
      ? plain
      : ['**'];
  });
}
