import {
  type OpenMetadataSandbox,
  startOpenMetadata,
} from '../../../src/sandbox/openmetadata/server.ts';
import world from './traces/world.json' with { type: 'json' };

/** Milliseconds by which a wait moves the clock. */
const waits: Readonly<Record<string, number>> = {
  'session over': 605_000,
  'most of a session': 420_000,
  'a moment': 1500,
};

/** A server of its own for each trace, as the replayer of the traces asks for it. */
export async function open() {
  let passed = 0;
  const sandbox = await startOpenMetadata({
    now: () => Date.now() + passed,
    seed: {
      users: world.users,
      teams: world.teams.map(({ name, teamType, members }) => ({ name, teamType, users: members })),
      databaseSchemas: world.entities
        .filter(({ type }) => type === 'databaseSchema')
        .map(({ fullyQualifiedName }) => fullyQualifiedName),
    },
  });
  return {
    base: sandbox.url,
    token: (actor: string) => tokenOf(sandbox, actor),
    wait: (kind: string): void => {
      passed += waits[kind] ?? 0;
    },
    close: sandbox.close,
  };
}

async function tokenOf(sandbox: OpenMetadataSandbox, actor: string): Promise<string | undefined> {
  if (actor === 'nobody') return undefined;
  if (actor === 'garbage') return 'not.a.token';
  if (actor === 'expired') return sandbox.tokenOf('ada', -3600);
  return sandbox.tokenOf(actor === 'bot' ? 'ingestion-bot' : actor);
}
