import type { AgentDefinition } from '../../actor.ts'
import { PipeError } from '../../error.ts'
import { type FindTool, readDefinition } from './definition.ts'
import explore from './explore.md'
import general from './general.md'
import review from './review.md'

/** Reads the agents that pipe brings along. */
export function builtinAgents(findTool: FindTool): readonly AgentDefinition[] {
  return [explore, general, review].map((text) => {
    const read = readDefinition(text, { source: 'builtin' }, findTool)
    if (read.type === 'refused') throw new PipeError('internal', `a built-in agent is broken: ${read.reason}`)
    return read.value.definition
  })
}
