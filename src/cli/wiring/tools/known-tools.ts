import { allTools } from '../../../builtin/tools.ts'
import type { KnownTools } from '../../../config/agents/agent-field.ts'
import { elfFacts } from '../../../elves/elf-tool.ts'
import { isPipeError } from '../../../error.ts'
import { referencesFacts, symbolsFacts } from '../../../lsp/code-tool-facts.ts'
import { findToolsFacts } from '../../../mcp/find-tools-facts.ts'
import { readRule, ruleSubject } from '../../../permission/rules/rule.ts'
import type { FindLook, ToolFacts } from '../../../tool.ts'
import type { AgentLimits, Choices } from '../run-choices.ts'

/** Tools of pipe that a search finds. */
const foundTools: readonly ToolFacts[] = [symbolsFacts, referencesFacts]

/** All tools of pipe, those included that a run may lack. */
export const knownTools: readonly ToolFacts[] = [...allTools, elfFacts, findToolsFacts, ...foundTools]

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

/**
 * Finds the name of our tool that a word names. Tools of MCP servers keep theirs, and `mcp__server` and `mcp__server__*` stand for all of a
 * server. `undefined` if there is none.
 */
export function findToolName(word: string): string | undefined {
  return knownTool(word)?.name ?? (/^mcp__[\w-]{1,100}\*?$/.test(word) ? word : undefined)
}

/** Reads the names of tools in files of agents. */
export const agentTools: KnownTools = {
  find: findToolName,
  takesRule: (text) => {
    const [, name = ''] = /^([^(]*)\(/.exec(text) ?? []
    if (ruleSubject(name.trim()) === 'other') return false
    try {
      readRule({ text, behavior: 'allow', source: 'user' }, { cwd: '/', home: '/' })
      return true
    } catch (error) {
      if (!isPipeError(error)) throw error
      return false
    }
  },
  starter: elfFacts.name,
}

/** Whether the model of a run is offered the tool of this name, as its agent and those that started it say. */
export function isOffered(
  name: string,
  { choices }: { readonly choices: Pick<Choices, 'limitsOfAgents'> },
): boolean {
  return (choices.limitsOfAgents ?? []).every((limits) => isWithin(name, limits))
}

/** Whether the model of a run is offered any tool of the MCP server that this word stands for. */
export function offersServer(
  word: string,
  { choices }: { readonly choices: Pick<Choices, 'limitsOfAgents'> },
): boolean {
  const start = `mcp__${word}__`
  return (choices.limitsOfAgents ?? []).every(
    ({ tools, disallowedTools = [], servers }) =>
      !disallowedTools.some((entry) => covers(entry, start)) &&
      servers?.some((one) => plain(one) === word) !== false &&
      tools?.some((entry) => entry.startsWith(start) || covers(entry, start)) !== false,
  )
}

function isWithin(name: string, limits: AgentLimits): boolean {
  const { tools, disallowedTools = [], servers } = limits
  const known = knownTool(name)
  const names = [name, known?.disallowedWith].filter((one) => one !== undefined)
  if (names.some((one) => disallowedTools.some((entry) => covers(entry, one)))) return false
  if (
    servers !== undefined &&
    /^mcp__/.test(name) &&
    !servers.some((one) => covers(`mcp__${plain(one)}`, name))
  )
    return false
  if (tools === undefined) return known?.outlivesLimits !== true || !limitsCalls(limits)
  // An agent that may use a tool which is not in prompts needs a way to find it.
  const isFound = (entry: string) =>
    entry.startsWith('mcp__') || foundTools.some((tool) => tool.name === entry)
  const isFinder = name === findToolsFacts.name && tools.some(isFound)
  return isFinder || tools.some((entry) => covers(entry, name))
}

function limitsCalls({ name: _, ...limits }: AgentLimits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined)
}

/** The name of a server within the names of its tools. */
function plain(server: string): string {
  return server
    .replace(/[^\w-]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Whether an entry of an agent's list stands for a tool: by its name, or by that of its server. */
function covers(entry: string, name: string): boolean {
  if (entry === name) return true
  const [, start = ''] = /^(mcp__.*?)(?:__)?\*?$/.exec(entry) ?? []
  return (
    start !== '' &&
    (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name.startsWith(`${start}__`))
  )
}

/** Whether the tool of this name may change files. */
export function changesFiles(name: string): boolean {
  const kind = knownTool(name)?.kind
  return kind === 'edit' || kind === 'execute'
}

/** Finds how calls of the tool of this name look. */
export const lookOf: FindLook = (name) => knownTool(name) ?? {}
