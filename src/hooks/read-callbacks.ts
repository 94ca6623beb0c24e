import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { type Hook, hookEvents } from './hook.ts'
import { patternFault } from './hook-matcher.ts'
import { spell } from './read-handler.ts'
import { joinReadHooks, type ReadHooks } from './read-hooks.ts'

/** Names the origin of hooks that a program brings. */
const source = 'the program that drives pipe'

/** Seconds that a callback has by default. */
const usualSeconds = 60

/**
 * Reads the hooks that a program registers: by their events, groups of a matcher and ids of callbacks. Leaves out what never runs here, and says
 * so.
 */
export function readCallbacks(value: JsonValue | undefined): ReadHooks {
  if (!isJsonObject(value)) return { hooks: [], problems: [] }
  const read = Object.entries(value).map(([name, groups]): ReadHooks => {
    const event = hookEvents.find((one) => one === name)
    if (event === undefined)
      return { hooks: [], problems: [`${source}: hooks.${spell(name)}: this event is not supported`] }
    const all = Array.isArray(groups) ? groups.map((group: JsonValue) => readGroup(group, event)) : []
    return joinReadHooks(all)
  })
  return joinReadHooks(read)
}

function readGroup(group: JsonValue, event: Hook['event']): ReadHooks {
  const {
    matcher = '',
    hookCallbackIds: ids = [],
    timeout,
    onFailure,
  }: JsonObject = isJsonObject(group) ? group : {}
  const fault = typeof matcher === 'string' ? patternFault(matcher) : 'it is not text'
  if (typeof matcher !== 'string' || fault !== undefined)
    return { hooks: [], problems: [`${source}: hooks.${event}: the matcher is not valid: ${fault}`] }
  const seconds = typeof timeout === 'number' && timeout > 0 ? timeout : usualSeconds
  const named = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  const hooks = named.map(
    (id): Hook => ({
      event,
      matcher,
      handler: { type: 'callback', id },
      timeoutMs: seconds * 1_000,
      once: false,
      async: false,
      blocksOnFailure: onFailure === 'block',
      source,
    }),
  )
  return { hooks, problems: [] }
}
