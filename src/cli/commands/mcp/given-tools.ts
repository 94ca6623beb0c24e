import { allTools } from '../../../builtin/tools.ts'
import { isGivenUnasked } from '../../../mcp-server/given-tool.ts'
import { runName } from '../../../mcp-server/run-tool.ts'
import type { ToolFacts } from '../../../tool.ts'
import { usageError } from '../../flags.ts'
import { findToolName } from '../../wiring/tools/known-tools.ts'

/** Reads which tools clients are given: names as pipe or other agents spell them, `run`, or `all`. Throws `usage`. */
export function readGivenTools(words: string | undefined): (tool: Pick<ToolFacts, 'name'>) => boolean {
  const offered: readonly ToolFacts[] = allTools.filter(({ needsUser }) => needsUser !== true)
  const all = [...offered.map(({ name }) => name), runName]
  if (words === undefined) {
    const unasked = offered.filter(isGivenUnasked).map(({ name }) => name)
    return given([...unasked, runName])
  }
  const named = words.split(/[\s,]+/).filter((word) => word !== '')
  const names = named.flatMap((word) => {
    if (word === 'all') return all
    const name = word === runName ? runName : findToolName(word)
    if (name !== undefined && all.includes(name)) return [name]
    throw usageError(
      `--tools: there is no tool ${JSON.stringify(word)}; choose from ${all.join(', ')}, or all`,
    )
  })
  if (names.length === 0) throw usageError(`--tools needs names: ${all.join(', ')}, or all`)
  return given(names)
}

function given(names: readonly string[]): (tool: Pick<ToolFacts, 'name'>) => boolean {
  return ({ name }) => names.includes(name)
}
