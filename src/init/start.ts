/** READ FIRST. A folder and what is around it → the files that it begins with. Writes nothing. */

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defaultFile, findAbove, loadFile, onlyBelow } from '../config/file.ts';
import { includedBy } from '../config/settings.ts';
import { chooseInclude, renderConfiguration } from './configuration.ts';
import { type FoundContracts, readRepository, type Repository, surveyContracts } from './found.ts';
import {
  adaptWorkflow,
  refuseUnquotable,
  workflowFile,
  workflowKinds,
  workflowsFolder,
  type WorkflowPlace,
} from './workflow.ts';

export type Start = ReturnType<typeof prepareStart>;

export const exampleContract = 'contracts/example.yaml';

export function prepareStart(options: {
  readonly folder: string;
  /** Undefined: those of an existing configuration. */
  readonly environments: readonly string[] | undefined;
  readonly readExample: (folder: string, file: string) => string;
  readonly dialect: string | undefined;
  readonly dialects: readonly string[];
}) {
  const { folder, readExample } = options;
  const repository = readRepository(folder);
  const found = surveyContracts(folder, repository);
  const isConfigured = existsSync(join(folder, defaultFile));
  const { settings } = loadFile(undefined, folder);
  const known = Object.keys(settings.environments ?? {});
  const chosen = options.environments ?? known;
  const include = isConfigured ? includedBy(settings) : chooseFor(found);
  const workflows = workflowPlaces(repository, chosen, include);
  const needsExample = found.contracts.length === 0 && found.configured.length === 0;
  return {
    files: [
      {
        file: defaultFile,
        text: renderConfiguration({ ...options, include, hasOdcs: found.odcs.length > 0 }),
      },
      ...workflows.flatMap((place) => {
        const toRoot = place.folder.replaceAll(/[^/]+/gu, '..');
        return workflowKinds.map((kind) => ({
          file: posix.join(toRoot, workflowsFolder, workflowFile(kind, place)),
          text: adaptWorkflow(kind, readExample('workflows', workflowFile(kind)), place),
        }));
      }),
      ...(needsExample
        ? [{ file: exampleContract, text: readExample('starter', 'example.yaml') }]
        : []),
    ],
    repository,
    found,
    include,
    isConfigured,
    environments: isConfigured ? known : chosen,
    workflows,
    dialect: options.dialect,
    unchosen: findUnchosen(workflows, repository),
    above: isConfigured ? undefined : findAbove(folder),
  };
}

function chooseFor(found: FoundContracts): readonly string[] {
  if (found.contracts.length > 0) return chooseInclude(found.contracts, found.others);
  if (found.configured.length > 0) throw onlyBelow(found.configured);
  return ['contracts'];
}

/** Workflows of an earlier init that choose no environment. */
function findUnchosen([place]: readonly WorkflowPlace[], repository: Repository | undefined) {
  if (!place || !repository || place.environment === undefined) return [];
  const names = workflowKinds.map((kind) =>
    workflowFile(kind, { ...place, environment: undefined }),
  );
  return names.filter((name) => existsSync(join(repository.root, workflowsFolder, name)));
}

function workflowPlaces(
  repository: Repository | undefined,
  environments: readonly string[],
  include: readonly string[],
): readonly WorkflowPlace[] {
  if (!repository?.isOnGitHub) return [];
  const { place: folder, branch, isDefaultBranch } = repository;
  refuseUnquotable('folder', folder);
  refuseUnquotable('branch', branch);
  const chosen = environments.length > 0 ? environments : [undefined];
  return chosen.map((environment) => ({ folder, environment, branch, isDefaultBranch, include }));
}
