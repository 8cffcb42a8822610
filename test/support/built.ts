import { inject } from 'vitest';

/** The path of a bundle, which is built when the first test asks for it. */
export async function built(name: 'cli.js' | 'action.js'): Promise<string> {
  const answer = await fetch(`${inject('bundles')}/${name}`);
  const told = await answer.text();
  if (!answer.ok) throw new Error(`${name} can't be built: ${told}`);
  return told;
}
