import type { AgentDefinition } from '../../actor.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { documentFields, type KnownTools, shownWord } from './agent-field.ts'
import { defineAgent } from './definition.ts'

/** Agents by their names, and notes about what has no effect. */
export interface GivenAgents {
  readonly agents: readonly AgentDefinition[]
  readonly notes: readonly string[]
}

/** Reads agents of JSON, each by its name, with the fields of an agent's file and `prompt`. Refuses all for one that cannot be used. */
export function readGivenAgents(document: JsonObject, known: KnownTools): Result<GivenAgents> {
  const agents: AgentDefinition[] = []
  const notes: string[] = []
  for (const [name, entry] of Object.entries(document)) {
    const fault = (reason: string) => refused(`the agent ${shownWord(name)}: ${withoutLine(reason)}`)
    if (!isJsonObject(entry)) return fault('expected an object')
    const { prompt, ...values } = entry
    if (prompt !== undefined && typeof prompt !== 'string') return fault('prompt takes text')
    const given = { ...omitUndefined(values), name }
    const read = defineAgent(
      { fields: documentFields(given, new Map()), prompt: prompt ?? '' },
      { source: 'user', path: '--agents' },
      known,
    )
    if (read.type === 'refused') return fault(read.reason)
    agents.push(read.value.definition)
    notes.push(...read.value.notes.map((note) => `the agent ${shownWord(name)}: ${withoutLine(note)}`))
  }
  return ok({ agents, notes })
}

/** JSON on the command line has no lines to speak of. */
function withoutLine(reason: string): string {
  return reason.replace(/^\d+: /, '')
}
