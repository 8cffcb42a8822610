import { isObject, type JsonObject } from '../../core/json.ts';
import { allFields, answerOf, type KeptContract, strongTag, type View } from './contract.ts';
import {
  idOf,
  listResults,
  listVersions,
  show,
  showByEntity,
  showByName,
  showLatestResult,
  showList,
  showVersion,
} from './contract-reads.ts';
import { createContract, putContract } from './create.ts';
import { badRequest } from './error-answer.ts';
import { patchContract } from './patch-contract.ts';
import { deleteContract, restoreContract } from './remove.ts';
import { bindJson, contractTypes, parseRequestBody, readCreate } from './requests.ts';
import type { Row } from './revise.ts';
import type { ApiCall, Endpoint, Reply, Route } from './router.ts';
import { runContract, validateCreate } from './run.ts';
import { requireContract, requireContractByName, type World } from './world.ts';

/** The endpoints on contracts. */
export function contractRoutes(world: World): readonly Route[] {
  const on = (
    run: (world: World, call: ApiCall) => Reply,
    takes?: readonly string[],
  ): Endpoint => ({
    run: (call) => run(world, call),
    ...(takes && { takes }),
  });
  const byId = '/dataContracts/{id}';
  return [
    {
      path: '/dataContracts',
      endpoints: {
        GET: on(showList),
        POST: on(post, contractTypes),
        PUT: on(put, contractTypes),
      },
    },
    { path: '/dataContracts/entity', endpoints: { GET: on(showByEntity) } },
    { path: '/dataContracts/restore', endpoints: { PUT: on(restore) } },
    { path: '/dataContracts/validate', endpoints: { POST: on(dryRun) } },
    {
      path: '/dataContracts/name/{fqn}',
      endpoints: { GET: on(showByName), DELETE: on(removeByName) },
    },
    { path: '/dataContracts/async/{id}', endpoints: { DELETE: on(removeLater) } },
    {
      path: byId,
      endpoints: {
        GET: on(show),
        PATCH: on(patch, ['application/json-patch+json']),
        DELETE: on(remove),
      },
    },
    { path: `${byId}/versions`, endpoints: { GET: on(listVersions) } },
    { path: `${byId}/versions/{version}`, endpoints: { GET: on(showVersion) } },
    { path: `${byId}/validate`, endpoints: { POST: on(runValidation) } },
    { path: `${byId}/results`, endpoints: { GET: on(listResults) } },
    { path: `${byId}/results/latest`, endpoints: { GET: on(showLatestResult) } },
  ];
}

/** Only what was sent of owners, reviewers and extension is shown. */
function post(world: World, call: ApiCall): Reply {
  return readCreate(call, (create) => {
    const contract = createContract(world, call.caller, create);
    return created(contract, create, call);
  });
}

function created(contract: KeptContract, create: JsonObject, { base }: ApiCall): Reply {
  const document = answerOf(contract, { base, self: true, fields: new Set(Object.keys(create)) });
  return {
    status: 201,
    document,
    headers: { Location: `${base}/v1/dataContracts/${contract.id}` },
  };
}

function put(world: World, call: ApiCall): Reply {
  return readCreate(call, (create) => {
    const { change, answer } = putContract(world, call.caller, create);
    if (change === 'entityCreated') return { ...created(answer, create, call), change };
    return { document: answerOf(answer, wholeView(call, true)), change };
  });
}

function wholeView({ base }: ApiCall, self: boolean): View {
  return { base, self, fields: allFields };
}

function patch(world: World, call: ApiCall): Reply {
  const { answer, change } = patchContract(world, {
    id: idOf(call),
    caller: call.caller,
    text: call.body,
    ifMatch: call.headers['if-match'],
  });
  return { document: answerOf(answer, wholeView(call, true)), tag: strongTag(answer), change };
}

function remove(world: World, call: ApiCall): Reply {
  return removed(world, call, requireContract(world, idOf(call), 'all'));
}

function removeByName(world: World, call: ApiCall): Reply {
  return removed(world, call, requireContractByName(world, call.params['fqn'] ?? '', 'all'));
}

function removed(world: World, call: ApiCall, row: Row): Reply {
  const hard = call.query.get('hardDelete') === 'true';
  const { answer, change } = deleteContract(world, call.caller, row, hard);
  return { document: answerOf(answer, wholeView(call, false)), change };
}

/** What the server does a moment later is done at once here. */
function removeLater(world: World, call: ApiCall): Reply {
  const row = requireContract(world, idOf(call), 'all');
  const hard = call.query.get('hardDelete') === 'true';
  deleteContract(world, call.caller, row, hard);
  return { status: 202, document: { message: 'Delete operation initiated.' } };
}

function restore(world: World, call: ApiCall): Reply {
  const body = parseRequestBody(call.body);
  const id = isObject(body) ? body['id'] : undefined;
  if (typeof id !== 'string') throw badRequest('[query param id must not be null]');
  const { answer } = restoreContract(world, call.caller, id);
  return { document: answerOf(answer, wholeView(call, false)), change: 'entityRestored' };
}

function dryRun(world: World, call: ApiCall): Reply {
  return { document: validateCreate(world, bindJson(call.body)) };
}

function runValidation(world: World, call: ApiCall): Reply {
  return { document: runContract(world, call.caller, idOf(call)), change: 'entityUpdated' };
}
