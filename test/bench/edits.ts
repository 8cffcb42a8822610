import { type Column, column, type Contract, rule, sentence } from './contracts.ts';
import type { Random } from './random.ts';

export type ContractEdit = (contract: Contract, random: Random) => Contract;
type SchemaEdit = (schema: readonly Column[], random: Random) => readonly Column[];

/** What people do to contracts, from nothing to everything. */
export const edits = {
  nothing: (contract: Contract): Contract => contract,
  'status and description': (contract: Contract, random: Random): Contract => ({
    ...contract,
    entityStatus: 'Active',
    description: sentence(30, random),
  }),
  'sla and one more rule': (contract: Contract, random: Random): Contract => ({
    ...contract,
    sla: { refreshFrequency: { interval: 2, unit: 'hour' } },
    semantics: [...contract.semantics, rule(9, random)],
  }),
  'edit one': onSchema(editColumn),
  'edit a child': onSchema(editChild),
  'rename one': onSchema(renameColumn),
  'insert one': onSchema(insertColumn),
  'remove one': onSchema(removeColumn),
  'move one': onSchema(moveColumn),
  'shuffle all': onSchema((schema, random) => random.shuffle(schema)),
  'mixed edits': onSchema(mixedEdits),
} satisfies Readonly<Record<string, ContractEdit>>;

/** The edited contract as it comes from elsewhere: parsed, and sharing nothing with the first one. */
export function applyEdit(edit: ContractEdit, contract: Contract, random: Random): Contract {
  return parsed(edit(contract, random));
}

/** What goes over a wire and comes back. */
export function parsed(contract: Contract): Contract {
  return JSON.parse(JSON.stringify(contract)) as Contract;
}

function onSchema(edit: SchemaEdit): ContractEdit {
  return (contract, random) => ({ ...contract, schema: edit(contract.schema, random) });
}

function editColumn(schema: readonly Column[], random: Random): Column[] {
  const index = random.below(schema.length);
  const description = sentence(22, random);
  return schema.map((each, at) => (at === index ? { ...each, description } : each));
}

function editChild(schema: readonly Column[], random: Random): Column[] {
  const description = sentence(4, random);
  const edited = schema.findLastIndex(({ children }) => children);
  return schema.map((each, at) => {
    const [first, ...others] = each.children ?? [];
    return at === edited && first
      ? { ...each, children: [{ ...first, description }, ...others] }
      : each;
  });
}

function renameColumn(schema: readonly Column[], random: Random): Column[] {
  const index = random.below(schema.length);
  return schema.map((each, at) => (at === index ? { ...each, name: 'renamed' } : each));
}

function insertColumn(schema: readonly Column[], random: Random): Column[] {
  const added = column(10_000 + random.below(1_000_000), random);
  return schema.toSpliced(random.below(schema.length + 1), 0, added);
}

function removeColumn(schema: readonly Column[], random: Random): Column[] {
  return schema.toSpliced(random.below(schema.length), 1);
}

function moveColumn(schema: readonly Column[], random: Random): Column[] {
  const from = random.below(schema.length);
  const rest = schema.toSpliced(from, 1);
  return rest.toSpliced(random.below(schema.length), 0, ...schema.slice(from, from + 1));
}

/** One column in twelve inserted, as many removed, moved and edited. */
function mixedEdits(schema: readonly Column[], random: Random): readonly Column[] {
  const steps = [insertColumn, removeColumn, moveColumn, editColumn];
  const rounds = Math.max(1, Math.floor(schema.length / 12));
  return Array.from({ length: rounds }, () => steps)
    .flat()
    .reduce<readonly Column[]>((columns, step) => step(columns, random), schema);
}
