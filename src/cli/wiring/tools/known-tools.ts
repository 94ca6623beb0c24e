import { allTools } from '../../../builtin/tools.ts'
import { elfFacts } from '../../../elves/elf-tool.ts'
import type { FindLook, ToolFacts } from '../../../tool.ts'

/** All tools of pipe, those included that a run may lack. */
export const knownTools: readonly ToolFacts[] = [...allTools, elfFacts]

/** Finds the tool that a word names, in any case: by its name, or by that which another agent gives it. */
export function knownTool(word: string): ToolFacts | undefined {
  const name = word.toLowerCase()
  const isCalled = (alias: string) => alias.toLowerCase() === name
  return (
    // `Task` starts an agent elsewhere, while `task` is a tool of ours.
    knownTools.find(({ aliases }) => aliases?.includes(word) === true) ??
    knownTools.find((tool) => tool.name === name) ??
    knownTools.find(({ aliases }) => aliases?.some(isCalled) === true)
  )
}

/** Finds the name of our tool that a word names; tools of MCP servers keep theirs. `undefined` if there is none. */
export function findToolName(word: string): string | undefined {
  return knownTool(word)?.name ?? (/^mcp__[\w-]{1,100}$/.test(word) ? word : undefined)
}

/** Whether the tool of this name may change files. */
export function changesFiles(name: string): boolean {
  const kind = knownTool(name)?.kind
  return kind === 'edit' || kind === 'execute'
}

/** Finds how calls of the tool of this name look. */
export const lookOf: FindLook = (name) => knownTool(name) ?? {}
