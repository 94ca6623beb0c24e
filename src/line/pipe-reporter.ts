import type { Output } from '../terminal/output.ts'
import { printableJson } from '../terminal/printable-json.ts'
import type { Reporter } from './reporter.ts'

/** Writes the envelope of a run for the next pipe. A run that failed to start has none, so it says so in the fields of one. */
export function pipeReporter(stdout: Output): Reporter {
  return {
    begin: () => undefined,
    event: () => undefined,
    end: (result, _outcome, json) =>
      stdout.write(`${result.envelope?.(json) ?? printableJson(withoutConversation(json))}\n`),
  }
}

function withoutConversation({ exit_code, error, usage }: Parameters<Reporter['end']>[2]) {
  const provenance = { pipe: '', provider: '', model: '', created_at: '' }
  const failed = {
    exit_code: exit_code ?? 1,
    code: 'internal',
    message: 'it did not start',
    ...Object(error),
  }
  return { pipe_envelope: 1, answer: '', provenance, usage, budget: {}, error: failed, conversation: [] }
}
