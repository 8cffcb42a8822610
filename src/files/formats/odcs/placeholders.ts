import { customProperty } from './custom-properties.ts';
import { listAt, memberAt, objectsIn, type PlacedObject, scalarText } from './place.ts';
import type { MappingScope } from './scope.ts';

/** What the placeholders stand for, for one object. */
export type PlaceholderValues = {
  readonly lookup: (placeholder: string) => string | undefined;
  readonly server: ChosenServer;
  /** Whether a value of a server has been asked for. */
  readonly needsServer: () => boolean;
};

/** The values for one object of the document. */
export function makeValues(object: PlacedObject, scope: MappingScope): PlaceholderValues {
  const server = chooseServer(scope.document, scope.settings.server);
  let isServerNeeded = false;
  return {
    server,
    needsServer: () => isServerNeeded,
    lookup: (placeholder) => {
      const [kind = '', ...names] = placeholder.split('.');
      const name = names.join('.');
      if (kind === 'contract') return plainText(scope.document, name, scope);
      if (kind === 'object') return objectText(object, name, scope);
      if (kind === 'property') return propertyText(object, name, scope);
      isServerNeeded = true;
      return server.kind === 'one' ? serverText(server.server, name, scope) : undefined;
    },
  };
}

function objectText(object: PlacedObject, name: string, scope: MappingScope): string | undefined {
  const value = plainText(object, name, scope);
  return value ?? (name === 'physicalName' ? plainText(object, 'name', scope) : undefined);
}

function plainText(parent: PlacedObject, name: string, { text }: MappingScope): string | undefined {
  return scalarText(text(parent, name)?.value ?? memberAt(parent, name)?.value);
}

function propertyText(object: PlacedObject, name: string, scope: MappingScope): string | undefined {
  const found = customProperty(object, name, scope);
  return found && plainText(found, 'value', scope);
}

/** Servers may hold variables in files of any version. */
function serverText(server: PlacedObject, name: string, scope: MappingScope): string | undefined {
  const member = memberAt(server, name);
  const text = scalarText(member?.value);
  return text && member && scalarText(scope.resolve(text, member.pointer));
}

/** The server entry that fills the placeholders of a document. */
type ChosenServer =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly server: PlacedObject }
  | { readonly kind: 'several'; readonly servers: readonly PlacedObject[] };

/** The only entry, or the one that is selected by its name, else by its environment. */
function chooseServer(document: PlacedObject, selected: string | undefined): ChosenServer {
  const servers = objectsIn(listAt(document, 'servers'));
  const matching = (key: string): PlacedObject[] =>
    servers.filter((server) => labelOf(server, key) === selected);
  const candidates =
    servers.length < 2 || selected === undefined
      ? servers
      : [matching('server'), matching('environment'), servers].find((found) => found.length > 0);
  const [server, ...others] = candidates ?? [];
  if (!server) return { kind: 'none' };
  return others.length === 0 ? { kind: 'one', server } : { kind: 'several', servers };
}

function labelOf(server: PlacedObject, key: string): string | undefined {
  return scalarText(memberAt(server, key)?.value);
}
