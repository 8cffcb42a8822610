import type { JsonValue } from '../../../core/json.ts';
import { formatPointer, type Pointer } from '../../../patch/pointer.ts';
import { valuesIn } from '../../read/document.ts';
import type { DocumentSource } from '../../read/position.ts';
import { mapOdcs } from './map.ts';
import { defaultOdcsRules, type OdcsRules } from './settings.ts';
import { type Stated, stateGroup } from './stated.ts';

/** The trace of the contract at a pointer into a document. */
type TraceOf = (source: DocumentSource, contract: Pointer) => Stated;

/**
 * Traces on demand: few contracts change, and a trace is larger than its contract. The document
 * that was asked about last stays mapped.
 */
export function createTracer({ settings, run }: OdcsRules = defaultOdcsRules): TraceOf {
  let lastText: LoadedText | undefined;
  let last: (TracedDocument & Pick<DocumentSource, 'text' | 'index'>) | undefined;
  return ({ text, index }, contract) => {
    if (last?.text !== text || last.index !== index) {
      if (lastText?.text !== text) lastText = { text, values: valuesIn(text) };
      const { contracts } = mapOdcs(lastText.values[index] ?? null, settings, run);
      const traces = contracts.map(
        ({ pointer, trace }) => [formatPointer(pointer), trace] as const,
      );
      last = { text, index, traces: new Map(traces) };
    }
    return last.traces.get(formatPointer(contract)) ?? stateGroup(contract, {});
  };
}

type LoadedText = { readonly text: string; readonly values: readonly JsonValue[] };

type TracedDocument = { readonly traces: ReadonlyMap<string, Stated> };
