/**
 * The sandbox in a process of its own, so that it is not what is measured. Arguments: how many
 * contracts, and the milliseconds that are added to each answer. Tells its parent its URL and token.
 */
import { ServerResponse } from 'node:http';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

const [contracts = 0, latencyMs = 0] = process.argv.slice(2).map(Number);
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (...args) {
  setTimeout(() => end.apply(this, args), latencyMs);
  return this;
};

const seed = Array.from({ length: contracts }, (_, rank) => ({
  name: `table_${rank}`,
  fullyQualifiedName: `shop.table_${rank}`,
  description: 'As it was.',
  schema: [{ name: 'id', dataType: 'BIGINT' }],
}));
const { url, token } = await startSandbox({ seed });
process.once('disconnect', () => process.exit());
process.send?.({ url, token });
