import type { AgentEvent } from '../event.ts'
import type { JsonObject } from '../json-value.ts'
import type { Output } from '../terminal/output.ts'
import { printableJson } from '../terminal/printable-json.ts'
import type { Outcome } from './outcome.ts'
import type { RunResult } from './run-result.ts'

/** Output of a one-shot run, with one implementation per format. */
export interface Reporter {
  begin(header: RunHeader): void
  /** May load what it needs for the first event of a kind: then the next event waits for the promise. */
  event(event: AgentEvent): void | Promise<void>
  /** Writes an event of an elf. Absent if only the parent's are reported. */
  elfEvent?(event: AgentEvent): void
  /** Writes a progress line for a waiting user. Absent if only the result is reported. */
  note?(line: string): void
  /** Writes a line to stderr even if that is not a terminal: a fallback model, denied calls. Absent with `--quiet`. */
  notice?(line: string): void
  end(result: RunResult, outcome: Outcome, json: JsonObject): void
}

export interface RunHeader {
  /** Absent with `--no-session`. */
  readonly sessionId: string | undefined
  readonly model: string
  readonly cwd: string
}

/** Tells a second reporter of everything first, as one that writes events beside the answer. */
export function withEvents(reporter: Reporter, events: Reporter): Reporter {
  return {
    ...reporter,
    begin: (header) => {
      events.begin(header)
      reporter.begin(header)
    },
    event: (event) => {
      const told = events.event(event)
      const shown = reporter.event(event)
      return told === undefined ? shown : told.then(() => shown)
    },
    elfEvent: (event) => {
      events.elfEvent?.(event)
      reporter.elfEvent?.(event)
    },
    end: (result, outcome, json) => {
      events.end(result, outcome, json)
      reporter.end(result, outcome, json)
    },
  }
}

/** Writes one object at the end. */
export function jsonReporter(stdout: Output): Reporter {
  return {
    begin: () => undefined,
    event: () => undefined,
    end: (_result, _outcome, json) => stdout.write(`${printableJson(json)}\n`),
  }
}

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
