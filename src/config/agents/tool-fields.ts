import { enumerate } from '../../characters/enumerate.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { isOnlyElsewhere } from '../peer/peer-rules.ts'
import { type AgentField, type KnownTools, type ReadField, shownWord } from './agent-field.ts'

/** An entry of a list of tools. */
type Entry =
  | { readonly type: 'whole'; readonly tool: string }
  /** Some calls of a tool, as a rule says. */
  | { readonly type: 'part'; readonly tool: string; readonly rule: string }
  /** The tool that starts agents, for some of them. */
  | { readonly type: 'agents'; readonly tool: string; readonly agents: readonly string[] }
  | { readonly type: 'unknown'; readonly text: string }

/** Reads the tools that an agent is offered. What it names and pipe does not know is left out, which gives it nothing more. */
export function readToolList(field: AgentField, known: KnownTools): Result<ReadField> {
  const entries = readEntries(field, known)
  if (entries.type === 'refused') return entries
  if (entries.value === 'all') return ok({ settings: {} })
  const whole = entries.value.flatMap((one) => (one.type === 'whole' ? one.tool : []))
  const parts = entries.value.flatMap((one) => (one.type === 'part' && !whole.includes(one.tool) ? one : []))
  const agents = entries.value.flatMap((one) => (one.type === 'agents' ? one.agents : []))
  const tools = [...new Set(entries.value.flatMap((one) => (one.type === 'unknown' ? [] : one.tool)))]
  return ok({
    settings: {
      tools,
      ...(parts.length > 0 && { onlyCalls: rulesByTool(parts) }),
      ...(agents.length > 0 && !whole.includes(known.starter) && { startable: agents }),
    },
    ...omitUndefined({ note: noteOfUnknown(entries.value) }),
  })
}

/** Reads the tools, and the calls, that an agent may not use. Refuses what pipe could not keep it from. */
export function readDisallowedList(field: AgentField, known: KnownTools): Result<ReadField> {
  const entries = readEntries(field, known)
  if (entries.type === 'refused') return entries
  if (entries.value === 'all')
    return refused(`${field.line}: ${field.name} takes names of tools, not "*"; tools: [] offers none`)
  const odd = entries.value.flatMap((one) => {
    if (one.type === 'agents') return one.agents
    return one.type === 'unknown' && /[(*]/.test(one.text) ? one.text : []
  })
  if (odd.length > 0) {
    const text = shownWord(odd.join(', '))
    return refused(`${field.line}: ${field.name} cannot take away ${text}; name whole tools, or rules`)
  }
  const disallowedTools = entries.value.flatMap((one) => (one.type === 'whole' ? one.tool : []))
  const disallowedCalls = entries.value.flatMap((one) => (one.type === 'part' ? one.rule : []))
  return ok({
    settings: {
      disallowedTools: [...new Set(disallowedTools)],
      ...(disallowedCalls.length > 0 && { disallowedCalls }),
    },
    ...omitUndefined({ note: noteOfUnknown(entries.value.filter((one) => !isGone(one))) }),
  })
}

/** Whether an entry is a tool that no agent has here anyway. */
function isGone(entry: Entry): boolean {
  return entry.type === 'unknown' && isOnlyElsewhere(entry.text)
}

function rulesByTool(parts: readonly Extract<Entry, { type: 'part' }>[]): Record<string, readonly string[]> {
  const tools = [...new Set(parts.map(({ tool }) => tool))]
  return Object.fromEntries(
    tools.map((tool) => [tool, parts.flatMap((one) => (one.tool === tool ? one.rule : []))]),
  )
}

/** Reads a list of tools; `all` if one of its entries is `*`. Refuses one whose parentheses do not match. */
function readEntries(field: AgentField, known: KnownTools): Result<readonly Entry[] | 'all'> {
  // A bare * begins an alias in YAML, and means all here.
  const text = field.words().trim()
  const list = text === '*' ? ok([text]) : field.list()
  if (list.type === 'refused') return list
  const words = list.value.map((word) => word.trim()).filter((word) => word !== '')
  if (words.includes('*')) return ok('all')
  const broken = words.find((word) => !/^[^()]+(\(.*\))?$/s.test(word))
  if (broken !== undefined)
    return refused(
      `${field.line}: ${shownWord(broken)} is not a tool: expected Tool or Tool(what), such as Bash(git diff:*)`,
    )
  return ok(words.map((word) => readEntry(word, known)))
}

function readEntry(text: string, known: KnownTools): Entry {
  const [, name = '', what = ''] = /^([^()]+?)\s*(?:\((.*)\))?$/s.exec(text) ?? []
  const tool = known.find(name)
  if (tool === undefined) return { type: 'unknown', text }
  const part = what.trim()
  if (part === '' || part === '*') return { type: 'whole', tool }
  if (tool === known.starter) return { type: 'agents', tool, agents: part.split(/\s*,\s*/) }
  return known.takesRule(text) ? { type: 'part', tool, rule: text } : { type: 'unknown', text }
}

/** Unknown tools that a note names. */
const mostNamed = 10

function noteOfUnknown(entries: readonly Entry[]): string | undefined {
  const unknown = entries.flatMap((one) => (one.type === 'unknown' ? shownWord(one.text) : []))
  return unknown.length === 0 ? undefined : `there is no tool ${enumerate(unknown, mostNamed)}`
}
