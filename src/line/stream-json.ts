import type { AgentEvent } from '../event.ts'
import { RepeatedOutput } from '../frontend/repeated-output.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Output } from '../terminal/output.ts'
import { printableJson } from '../terminal/printable-json.ts'
import { encodeEvent } from '../wire/event-json.ts'
import type { Reporter } from './reporter.ts'

/** Writes a header, one line per event in order, and the result. Repeats at most 1 MB of each call's output. */
export function streamJsonReporter(stdout: Output): Reporter {
  const write = (line: object) => stdout.write(`${printableJson(line)}\n`)
  const output = new RepeatedOutput()
  const writeEvent = (event: AgentEvent) => {
    const repeated = output.take(event)
    if (repeated !== undefined) write(encodeEvent(repeated.event, repeated.told))
  }
  return {
    begin: ({ sessionId, model, cwd }) =>
      write({ type: 'stream', version: 1, ...omitUndefined({ session_id: sessionId }), model, cwd }),
    event: writeEvent,
    elfEvent: writeEvent,
    end: (_result, _outcome, json) => write(json),
  }
}
