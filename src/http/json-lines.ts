import { PipeError } from '../error.ts'
import { maxEvent, oversized, type ServerEvent } from './server-events.ts'
import { Utf8Pieces } from './utf8-pieces.ts'

/**
 * Reads the lines of a body as events without names, in batches as they arrive. Skips blank lines; a last line without a line
 * break is `unfinished`. Throws `protocol` for a line of more than 16 Mi characters, and the body's errors.
 */
export async function* readJsonLines(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ServerEvent[], void, undefined> {
  const pieces = new Utf8Pieces()
  let rest = ''
  for await (const chunk of body) {
    const [first = '', ...more] = pieces.decode(chunk).split('\n')
    const lines = [rest + first, ...more]
    rest = lines.pop() ?? ''
    if (rest.length > maxEvent) throw new PipeError('protocol', oversized)
    const events = lineEvents(lines)
    if (events.length > 0) yield events
  }
  const last = lineEvents([rest + pieces.end()])
  if (last.length > 0) yield last.map((event) => ({ ...event, unfinished: true }))
}

function lineEvents(lines: readonly string[]): readonly ServerEvent[] {
  const events: ServerEvent[] = []
  for (const line of lines) {
    const data = line.trim()
    if (data !== '') events.push({ data })
  }
  return events
}
