import { isJsonObject, type JsonObject } from '../json-value.ts'
import { callEvents, type Hook, hookEvents } from './hook.ts'
import { patternFault } from './hook-matcher.ts'
import { readHandler, spell } from './read-handler.ts'

/** The hooks of a file, and what keeps others from running, a sentence each. */
export interface ReadHooks {
  readonly hooks: readonly Hook[]
  readonly problems: readonly string[]
}

/**
 * Default timeouts, and the largest one, in seconds. That of commands is the one of the agent for which most hooks are written: they may
 * run tests.
 */
const seconds = { command: 600, http: 60, prompt: 30, agent: 60, most: 3_600 }

/** Fields that narrow a hook down. It does not run where they are not known, because it would run too often. */
const narrowing = { group: ['if', 'shell', 'asyncRewake'], hook: ['asyncRewake'] }

/** Reads the value of `hooks` in a file, which `source` names. Leaves out what it cannot run, and says so. */
export function readHooks(value: unknown, source: string): ReadHooks {
  if (!isJsonObject(value)) return { hooks: [], problems: [`${source}: hooks: expected an object`] }
  const read = Object.entries(value).map(([name, groups]): ReadHooks => {
    const event = hookEvents.find((one) => one === name)
    const at = `${source}: hooks.${spell(name)}`
    if (name === 'CwdChanged')
      return problem(`${at}: the working folder does not change in a run, so its hooks do not run`)
    if (event === undefined) return problem(`${at}: this event is not supported, so its hooks do not run`)
    if (!Array.isArray(groups)) return problem(`${at}: expected a list of groups`)
    return joinReadHooks(groups.map((group) => readGroup(group, { event, source, at })))
  })
  return joinReadHooks(read)
}

interface Place extends Pick<Hook, 'event' | 'source'> {
  /** Names it to people. */
  readonly at: string
}

function readGroup(group: unknown, place: Place): ReadHooks {
  if (!isJsonObject(group) || !Array.isArray(group['hooks']))
    return problem(`${place.at}: expected a matcher and a list of hooks`)
  const { matcher = '', hooks } = group
  if (typeof matcher !== 'string') return problem(`${place.at}: expected a text as the matcher`)
  const fault = patternFault(matcher)
  if (fault !== undefined)
    return problem(
      `${place.at}: the matcher ${spell(matcher)} is not valid, so its hooks do not run: ${fault}`,
    )
  const narrowed = narrowingOf(group, narrowing.group)
  if (narrowed !== undefined) return problem(`${place.at}: ${narrowed}`)
  return joinReadHooks(hooks.map((one) => readHook(one, { ...place, matcher })))
}

function readHook(value: unknown, { at, ...place }: Place & Pick<Hook, 'matcher'>): ReadHooks {
  if (!isJsonObject(value)) return problem(`${at}: expected an object as the hook`)
  const handler = readHandler(value, place.event)
  if (handler.type === 'refused') return problem(`${at}: ${handler.reason}`)
  const narrowed = narrowingOf(value, narrowing.hook)
  if (narrowed !== undefined) return problem(`${at}: ${narrowed}`)
  const { if: condition, timeout = seconds[handler.value.type], once = false, async = false } = value
  const { onFailure = 'continue', statusMessage: status } = value
  const faults = [
    ...(condition === undefined || isRule(condition) ? [] : ['if']),
    ...(typeof timeout === 'number' && timeout > 0 ? [] : ['timeout']),
    ...(typeof once === 'boolean' ? [] : ['once']),
    ...(typeof async === 'boolean' ? [] : ['async']),
    ...(onFailure === 'continue' || onFailure === 'block' ? [] : ['onFailure']),
  ]
  if (typeof timeout !== 'number' || faults.length > 0)
    return problem(`${at}: the hook does not run: ${faults.join(', ')} is not as expected`)
  if (condition !== undefined && !callEvents.includes(place.event))
    return problem(`${at}: the field if is about calls of tools, so the hook does not run`)
  const hook: Hook = {
    ...place,
    ...(isRule(condition) && { condition }),
    handler: handler.value,
    timeoutMs: Math.min(timeout, seconds.most) * 1_000,
    once: once === true,
    async: async === true,
    blocksOnFailure: onFailure === 'block',
    ...(typeof status === 'string' && status.trim() !== '' && { status }),
  }
  return { hooks: [hook], problems: [] }
}

/** Whether a text has the form of a permission rule. */
function isRule(value: unknown): value is string {
  return typeof value === 'string' && /^\s*[A-Za-z][\w.*-]*\s*(\(.*\))?\s*$/s.test(value)
}

function narrowingOf(fields: JsonObject, names: readonly string[]): string | undefined {
  const found = names.find((name) => fields[name] !== undefined && fields[name] !== false)
  return found && `the field ${found} is not supported, so what it belongs to does not run`
}

function problem(text: string): ReadHooks {
  return { hooks: [], problems: [text] }
}

/** Joins what was read of several places. */
export function joinReadHooks(read: readonly ReadHooks[]): ReadHooks {
  return { hooks: read.flatMap(({ hooks }) => hooks), problems: read.flatMap(({ problems }) => problems) }
}
