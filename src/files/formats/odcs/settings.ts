import type { EntityRule, Template } from './template.ts';

/** The fields of a contract that ODCS files can manage. */
export type OdcsField = 'entityStatus' | 'description' | 'schema' | 'sla' | 'owners' | 'extension';

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

export type OdcsRun = {
  /** `2027-01-31`: who left the team before it owns nothing any more. */
  readonly today: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** The statuses of the lifecycle; without them a status is not checked. */
  readonly statuses?: readonly string[] | undefined;
  /** The units that the catalog takes in an SLA: OpenMetadata's, or any. */
  readonly slaUnits: 'openmetadata' | 'any';
};

export type OdcsRules = {
  readonly settings: OdcsSettings;
  readonly run: Omit<OdcsRun, 'statuses'>;
};

/** What holds without a configuration. Owners are not managed, so no day matters. */
export const defaultOdcsRules: OdcsRules = {
  settings: defaultOdcsSettings,
  run: { today: '', environment: {}, slaUnits: 'openmetadata' },
};
