import type { EntityRule, Template } from './template.ts';

export type OdcsField = 'entityStatus' | 'description' | 'schema' | 'sla' | 'owners' | 'extension';

export type OdcsSettings = {
  /** The first that applies wins; empty for files that identify contracts by UUID. */
  readonly entity: readonly EntityRule[];
  readonly entityType: string;
  /** Former qualified names; a template counts if all its placeholders have values. */
  readonly movedFrom: readonly Template[];
  /** The contract's own name, where an entity has several contracts. */
  readonly name?: Template;
  /** Selects by `server` or `environment` where a file has several servers. */
  readonly server?: string;
  readonly fields: readonly OdcsField[];
  /** Word of a file → status of the lifecycle; overrides the known words. */
  readonly status: { readonly [word: string]: string };
  readonly columnName: 'physical' | 'logical';
  readonly owners: {
    /** Case-insensitive. */
    readonly roles: readonly string[];
    /** The member's key that holds the user's name in the catalog. */
    readonly name: 'username' | 'name';
    readonly type: string;
    readonly team: boolean;
  };
  readonly extension: readonly string[];
  readonly variables: { readonly [name: string]: string };
  readonly variablesFrom: readonly string[];
};

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
  /** `2027-01-31`; members who left before it are not owners. */
  readonly today: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Statuses of the lifecycle that the catalog may lack. */
  readonly later?: readonly string[] | undefined;
  /** Whether the catalog takes any unit for each duration of a service level. */
  readonly takesAnyUnit?: boolean;
};

export type OdcsRules = {
  readonly settings: OdcsSettings;
  readonly run: OdcsRun;
};

export const defaultOdcsRules: OdcsRules = {
  settings: defaultOdcsSettings,
  run: { today: '', environment: {} },
};
