import type { AgentEvent } from '../../event.ts'
import type { JsonObject } from '../../json-value.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { Output } from '../output.ts'
import type { Outcome } from './outcome.ts'
import type { RunResult } from './result.ts'

/** What a one-shot run writes, one implementation for each output format. */
export interface Reporter {
  begin(header: RunHeader): void
  event(event: AgentEvent): void
  /** A line for a person who waits; absent where nobody is told of anything but the result. */
  note?(line: string): void
  /** Writes a line to stderr even when that is no terminal: a fallback model, denied calls. Absent with `--quiet`. */
  notice?(line: string): void
  end(result: RunResult, outcome: Outcome, json: JsonObject): void
}

export interface RunHeader {
  /** Absent with `--no-session`. */
  readonly sessionId: string | undefined
  readonly model: string
  readonly cwd: string
}

/** One object at the end. */
export function jsonReporter(stdout: Output): Reporter {
  return {
    begin: () => undefined,
    event: () => undefined,
    end: (_result, _outcome, json) => stdout.write(`${printableJson(json)}\n`),
  }
}
