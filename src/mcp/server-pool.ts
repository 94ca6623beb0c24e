import { failureOf, PipeError } from '../error.ts'
import { nearest } from '../ranking/nearest.ts'
import type { ListedPrompt } from './lists/listed-prompt.ts'
import type { ServerTool } from './lists/seen-tools.ts'
import type { ManagedServer, ServerState } from './managed-server.ts'
import { describeArguments } from './material/called-prompt.ts'
import { offersResources, resourceTool } from './material/resource-tool.ts'
import { serverWords, toolNames } from './tool-names.ts'

/** A tool under the name that the model calls it by. */
export interface PooledTool {
  readonly name: string
  readonly tool: ServerTool
  readonly server: ManagedServer
}

/** Holds the result of a search for tools. */
export interface FoundTools {
  readonly tools: readonly PooledTool[]
  /** Say which servers could not be asked, and why. */
  readonly failures: readonly string[]
}

/** Words the state of a server for people. */
export interface ServerReport {
  readonly name: string
  readonly state: ServerState
  /** It was turned off for this run. Default: it is on. */
  readonly isOff?: true
}

/** A prompt of a server under the names that the user calls it by. */
export interface PromptCommand {
  /** Such as `mcp__github__review`. */
  readonly name: string
  /** Such as `github:review`. */
  readonly alias: string
  readonly server: ManagedServer
  readonly prompt: ListedPrompt
  /** Shows what words it takes; empty if none. */
  readonly hint: string
}

/** The servers of a run, which its conversations share. Each is started when it is first needed. */
export class ServerPool {
  #servers: readonly ManagedServer[]
  #words: ReadonlyMap<string, string>
  /** Names of those that are off. */
  readonly #off = new Set<string>()

  constructor(servers: readonly ManagedServer[]) {
    this.#servers = servers
    this.#words = serverWords(servers.map(({ server }) => server.name))
  }

  /** The servers by the words that the names of their tools begin with, without those that are off. */
  get servers(): ReadonlyMap<string, ManagedServer> {
    const on = this.#servers.filter(({ server }) => !this.#off.has(server.name))
    return new Map(on.map((one) => [this.#words.get(one.server.name) ?? one.server.name, one]))
  }

  /** Finds a server by its name, also one that is off. */
  named(name: string): ManagedServer | undefined {
    return this.#servers.find(({ server }) => server.name === name)
  }

  /** Adds servers in the place of those with these names. Whoever opened the old ones closes them. */
  replace(names: ReadonlySet<string>, added: readonly ManagedServer[]): void {
    this.#servers = [...added, ...this.#servers.filter(({ server }) => !names.has(server.name))]
    this.#words = serverWords(this.#servers.map(({ server }) => server.name))
  }

  /** Turns a server off or on again. One that is off offers nothing. */
  turn(name: string, isOn: boolean): void {
    if (isOn) this.#off.delete(name)
    else this.#off.add(name)
  }

  /** Returns these servers without those that another pool has too. Whoever opened this pool closes them. */
  without(other: ServerPool): ServerPool {
    const names = new Set(other.#servers.map(({ server }) => server.name))
    return new ServerPool(this.#servers.filter(({ server }) => !names.has(server.name)))
  }

  /** Returns these servers and those of another pool. Whoever opened the pools closes them. */
  with(other: ServerPool): ServerPool {
    return new ServerPool([...this.#servers, ...other.#servers])
  }

  /** Finds a server by its name, or by the word that stands for it. */
  find(name: string): ManagedServer | undefined {
    return this.servers.get(name) ?? [...this.servers.values()].find(({ server }) => server.name === name)
  }

  /** Lists the prompts of all servers, as far as they are known. Starts none. */
  knownPrompts(): readonly PromptCommand[] {
    return [...this.servers].flatMap(([word, server]) => promptCommands(word, server, server.knownPrompts()))
  }

  /** Finds the server whose prompt a name calls; it may have no such prompt. */
  promptOwner(name: string): ManagedServer | undefined {
    const found = [...this.servers].find(
      ([word]) => name.startsWith(`mcp__${word}__`) || name.startsWith(`${word}:`),
    )
    return found?.[1]
  }

  /** Finds the prompt that a name calls, and starts its server before if need be. Throws `input` if it has none of that name, and as `ManagedServer.prompts`. */
  async prompt(name: string, signal: AbortSignal): Promise<PromptCommand> {
    const owner = this.promptOwner(name)
    const [word = '', server] = [...this.servers].find(([, one]) => one === owner) ?? []
    const prompts = server === undefined ? [] : promptCommands(word, server, await server.prompts(signal))
    const found = prompts.find((one) => one.name === name || one.alias === name)
    if (found !== undefined) return found
    const near = nearest(
      name,
      prompts.flatMap((one) => [one.name, one.alias]),
    )
    const hint = near === undefined ? 'it has none' : `did you mean /${near}?`
    throw new PipeError(
      'input',
      `the MCP server ${server?.server.name ?? word} has no prompt /${name}: ${hint}`,
    )
  }

  reports(): readonly ServerReport[] {
    return this.#servers.map(({ server: { name }, state }) => ({
      name,
      state,
      ...(this.#off.has(name) && { isOff: true }),
    }))
  }

  /** Lists the tools of the servers with these words, or of all. Waits for each until it has started or failed. Throws `aborted`. */
  async tools(words: readonly string[] | undefined, signal: AbortSignal): Promise<FoundTools> {
    const asked = [...this.servers].filter(([word]) => words?.includes(word) !== false)
    const lists = await Promise.all(
      asked.map(async ([one, server]) => {
        const listed: { tools: readonly ServerTool[] } = { tools: [] }
        const failure = await failureOf(
          server.tools(signal).then((tools) => {
            listed.tools = tools
          }),
        )
        const own = offersResources(server, listed.tools) ? [resourceTool] : []
        const all = [...listed.tools, ...own]
        const names = toolNames(
          one,
          all.map(({ name }) => name),
        )
        const tools = all.map((tool) => ({ name: names.get(tool.name) ?? tool.name, tool, server }))
        return { tools, failures: failure === undefined ? [] : [failure.message] }
      }),
    )
    return { tools: lists.flatMap(({ tools }) => tools), failures: lists.flatMap(({ failures }) => failures) }
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((one) => one.close()))
  }
}

function promptCommands(
  word: string,
  server: ManagedServer,
  prompts: readonly ListedPrompt[],
): readonly PromptCommand[] {
  const names = toolNames(
    word,
    prompts.map(({ name }) => name),
  )
  return prompts.map((prompt) => {
    const name = names.get(prompt.name) ?? prompt.name
    return {
      name,
      alias: name.replace(/^mcp__/, '').replace(`${word}__`, `${word}:`),
      server,
      prompt,
      hint: describeArguments(prompt.args),
    }
  })
}
