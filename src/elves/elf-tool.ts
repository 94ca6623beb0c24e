import { isJsonObject, type JsonValue, textField } from '../json-value.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { thinkingLevels } from '../model.ts'
import type { ThinkingLevel } from '../provider.ts'
import type { Tool, ToolFacts } from '../tool.ts'
import description from './elf.md'

/** A call of the tool `elf`. */
export type ElfCall =
  | {
      readonly action: 'run'
      readonly prompt: string
      /** The name of an agent definition. */
      readonly agent: string
      readonly model?: string | undefined
      /** Given by skills alone: the model is not told of it. */
      readonly effort?: ThinkingLevel | undefined
      /** Default: as its agent says. */
      readonly background?: boolean | undefined
      readonly isolation?: 'worktree' | 'none' | undefined
    }
  /** Without an id, waits for all. */
  | { readonly action: 'wait'; readonly id?: string | undefined }
  | { readonly action: 'send'; readonly id: string; readonly prompt: string }
  | { readonly action: 'stop'; readonly id: string }

/** The agent of an elf that names none. */
const usualAgent = 'general'

/** The facts about the tool, the same in every session. */
export const elfFacts: ToolFacts = {
  name: 'elf',
  // The tool of this name in other agents starts an agent.
  aliases: ['Task', 'Agent'],
  hookArguments: { agent: 'subagent_type', background: 'run_in_background' },
  kind: 'other',
  capability: 'tool_read_file',
  // It changes nothing itself: each call of an elf is judged, and so is its diff.
  readOnly: () => true,
  parallel: () => true,
  looksOn: (args) => textField(args, 'action') === 'wait',
  display: 'elf',
  verb: 'working',
  target: (args) =>
    ['action', 'agent', 'id', 'prompt'].flatMap((name) => textField(args, name) || []).join(' '),
}

/** Creates the tool for the model. `more` lists the agents that are not built in, a line each. */
export function elfTool(more: readonly string[]): Tool {
  const others = more.length === 0 ? '' : ` More agents:\n${more.join('\n')}`
  return {
    ...elfFacts,
    description: description.trim() + others,
    parameters: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['run', 'wait', 'send', 'stop'] },
        prompt: { type: 'string' },
        agent: { type: 'string' },
        model: { type: 'string' },
        background: { type: 'boolean' },
        isolation: { type: 'string', enum: ['worktree', 'none'] },
        id: { type: 'string' },
      },
    },
  }
}

/** Reads the arguments of a call. Empty texts count as absent, because some models fill in every field. */
export function readElfCall(args: JsonValue): Result<ElfCall> {
  const given = isJsonObject(args) ? args : {}
  const text = (name: string): string | undefined => {
    const value = given[name]
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  const prompt = text('prompt')
  const id = text('id')
  const action = text('action') ?? 'run'
  if (action === 'wait') return ok({ action, id })
  if (action === 'stop') return id === undefined ? missing('id', action) : ok({ action, id })
  if (prompt === undefined) return missing('prompt', action)
  if (action === 'send') return id === undefined ? missing('id', action) : ok({ action, id, prompt })
  if (action !== 'run')
    return refused(`there is no action ${action.slice(0, 64)}; use run, wait, send or stop`)
  const isolation = readIsolation(text('isolation'))
  if (isolation.type === 'refused') return isolation
  const background = readFlag(given['background'])
  const effort = thinkingLevels.find((level) => level === text('effort'))
  const more = { model: text('model'), effort, isolation: isolation.value }
  return ok({ action, prompt, agent: text('agent') ?? usualAgent, background, ...more })
}

function readFlag(value: JsonValue | undefined): boolean | undefined {
  return value === undefined || value === '' ? undefined : value === true || value === 'true'
}

function readIsolation(text: string | undefined): Result<'worktree' | 'none' | undefined> {
  if (text === undefined || text === 'worktree' || text === 'none') return ok(text)
  return refused(`isolation is worktree or none, not ${text.slice(0, 64)}`)
}

function missing(field: string, action: string): Result<ElfCall> {
  return refused(`${action} needs ${field}`)
}
