import { isJsonObject } from '../../../json-value.ts'
import type { Adapter } from '../../../stream.ts'

/** The fields of an adapter's events that hold a text. */
const texts: Readonly<Record<string, readonly string[]>> = {
  text_delta: ['id', 'delta'],
  thinking_delta: ['id', 'delta'],
  tool_call_begin: ['id', 'name'],
  tool_call_delta: ['id', 'delta'],
  call_complete: ['id'],
  block_meta: ['id'],
  usage: [],
}

/** Checks what an adapter does that a program wrote. Throws an `Error` that says what is wrong. */
export function checkedAdapter(adapter: Adapter): Adapter {
  if (typeof adapter !== 'function') throw new Error('its adapter must be a function that takes a signal')
  return async function* (signal) {
    const run = adapter(signal)
    if (typeof run?.next !== 'function') throw new Error('its adapter must be an async generator function')
    try {
      for (;;) {
        const step = await run.next()
        if (step.done === true) return requireFinish(step.value)
        for (const event of Array.isArray(step.value) ? step.value : [step.value]) requireEvent(event)
        yield step.value
      }
    } finally {
      await run.return(unused)
    }
  }
}

/** Ends a run whose value nobody reads. */
const unused = { stopReason: 'aborted' } as const

function requireEvent(event: unknown): void {
  const fields = isJsonObject(event) ? texts[String(event['type'])] : undefined
  if (fields === undefined || !isJsonObject(event)) throw new Error(`it yielded no event: ${inWords(event)}`)
  const missing = fields.find((field) => typeof event[field] !== 'string')
  if (missing !== undefined)
    throw new Error(`it yielded ${String(event['type'])} without a text as ${missing}: ${inWords(event)}`)
  if (event['type'] === 'usage') requireUsage(event['usage'])
}

function requireFinish<End>(finish: End): End {
  if (!isJsonObject(finish))
    throw new Error(`it must return the end of the reply, { stopReason, usage? }, not ${inWords(finish)}`)
  if (finish['usage'] !== undefined) requireUsage(finish['usage'])
  return finish
}

function requireUsage(usage: unknown): void {
  const counts = isJsonObject(usage) ? [usage['inputTokens'], usage['outputTokens']] : [undefined]
  if (!counts.every((count) => typeof count === 'number' && count >= 0))
    throw new Error(`its usage needs inputTokens and outputTokens: ${inWords(usage)}`)
}

function inWords(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 200)
}
