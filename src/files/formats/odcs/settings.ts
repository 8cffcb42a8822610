import type { Template } from './template.ts';

/** The fields of a contract that ODCS files can manage. */
export type OdcsField = 'entityStatus' | 'description' | 'schema' | 'sla' | 'owners' | 'extension';

/** Which entity of the catalog an object of a file is. */
export type EntityRule = {
  /** Placeholder → pattern of its value, in which `*` is any text; all of them have to match. */
  readonly when: { readonly [placeholder: string]: string };
  /** The entity's qualified name; null leaves the object out on purpose. */
  readonly is: Template | null;
  /** Instead of the type of all others. */
  readonly type?: string;
};

/** How the ODCS files of a repository are read. */
export type OdcsSettings = {
  /** The first that applies wins; none are needed for files that name contracts by UUID. */
  readonly entity: readonly EntityRule[];
  readonly entityType: string;
  /** Qualified names that the entities had; those count whose placeholders have values. */
  readonly movedFrom: readonly Template[];
  /** The contract's own name, where an entity has several contracts. */
  readonly name?: Template;
  /** `server` or `environment` of the entry that counts where a file has several. */
  readonly server?: string;
  readonly fields: readonly OdcsField[];
  /** Word of a file → status of the lifecycle; beats the words that are known anyway. */
  readonly status: { readonly [word: string]: string };
  readonly columnName: 'physical' | 'logical';
  readonly owners: OwnerSettings;
  /** Names of custom properties that are members of the contract's extension. */
  readonly extension: readonly string[];
  /** Values for `${NAME}`. */
  readonly variables: { readonly [name: string]: string };
  /** Patterns of the names that may be taken from the environment. */
  readonly variablesFrom: readonly string[];
};

type OwnerSettings = {
  /** Case does not count. */
  readonly roles: readonly string[];
  /** The member's key that holds the name by which the catalog knows them. */
  readonly name: 'username' | 'name';
  readonly type: string;
  /** Whether the team as a whole is the owner, and not its members. */
  readonly team: boolean;
};

/** What holds where the configuration says nothing. */
export const defaultOdcsSettings: OdcsSettings = {
  entity: [],
  movedFrom: [],
  entityType: 'table',
  fields: ['entityStatus', 'description', 'schema', 'sla'],
  status: {},
  columnName: 'physical',
  owners: { roles: ['owner'], name: 'username', type: 'user', team: false },
  extension: [],
  variables: {},
  variablesFrom: [],
};

/** What the mapping has to know of the run that it is part of. */
export type OdcsRun = {
  /** `2027-01-31`: who left the team before it owns nothing any more. */
  readonly today: string;
  /** The environment; of it only what `variablesFrom` names is looked at. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** The statuses of the lifecycle; without them a status is not checked. */
  readonly statuses?: readonly string[] | undefined;
  /** The units that the catalog takes in an SLA: OpenMetadata's, or any. */
  readonly slaUnits: 'openmetadata' | 'any';
};

/** How the ODCS files of a run are read; the lifecycle adds its statuses. */
export type OdcsRules = {
  readonly settings: OdcsSettings;
  readonly run: Omit<OdcsRun, 'statuses'>;
};

/** What holds without a configuration. Owners are not managed, so no day matters. */
export const defaultOdcsRules: OdcsRules = {
  settings: defaultOdcsSettings,
  run: { today: '', environment: {}, slaUnits: 'openmetadata' },
};
