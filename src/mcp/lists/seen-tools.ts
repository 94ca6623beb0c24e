import { sha256 } from '../../files/lazy-crypto.ts'
import type { Era } from '../connection.ts'
import type { RememberedServer, ServerMemory } from '../server-memory.ts'
import type { ListedPrompt } from './listed-prompt.ts'
import type { ListedTool } from './listed-tool.ts'

/** A tool of a server. */
export interface ServerTool extends ListedTool {
  /** Whether it says something else of itself than when it was first seen, or last allowed. */
  readonly isChanged: boolean
}

/** Prompts that are remembered of a server. */
const mostPrompts = 50

/** Keeps the words of a server's tools about themselves that the user last agreed to. */
export class SeenTools {
  readonly #hash: string
  readonly #memory: ServerMemory

  constructor(hash: string, memory: ServerMemory) {
    this.#hash = hash
    this.#memory = memory
  }

  /** The era of the server when it was last reached. */
  get era(): Era | undefined {
    return this.#memory.recall(this.#hash)?.era
  }

  /** The names of the tools that it had then. */
  get names(): readonly string[] {
    return Object.keys(this.#known)
  }

  /** The prompts that it had then. */
  get prompts(): readonly ListedPrompt[] {
    return this.#memory.recall(this.#hash)?.prompts ?? []
  }

  /** Marks those that have changed. */
  compare(tools: readonly ListedTool[]): readonly ServerTool[] {
    const known = this.#known
    return tools.map((tool) => ({
      ...tool,
      isChanged: known[tool.name] !== undefined && known[tool.name] !== hashOf(tool),
    }))
  }

  /** Remembers tools as they are, but for those whose change the user has not allowed. */
  async remember(tools: readonly ServerTool[], era: Era): Promise<void> {
    const known = this.#known
    const hashes = tools.map((tool) => [
      tool.name,
      (tool.isChanged ? known[tool.name] : undefined) ?? hashOf(tool),
    ])
    await this.#keep({ ...this.#memory.recall(this.#hash), era, tools: Object.fromEntries(hashes) })
  }

  /** Remembers prompts, so that a list shows them before the server runs. */
  async rememberPrompts(prompts: readonly ListedPrompt[], era: Era): Promise<void> {
    const { prompts: before = [], ...rest } = this.#memory.recall(this.#hash) ?? { tools: {} }
    const kept = prompts.slice(0, mostPrompts)
    if (before.length + kept.length > 0) await this.#keep({ ...rest, era, prompts: kept })
  }

  async #keep(now: RememberedServer): Promise<void> {
    if (JSON.stringify(now) !== JSON.stringify(this.#memory.recall(this.#hash)))
      await this.#memory.keep(this.#hash, now)
  }

  get #known(): Readonly<Record<string, string>> {
    return this.#memory.recall(this.#hash)?.tools ?? {}
  }
}

/** Identifies what a tool says of itself. */
export function hashOf({ description, schema }: Pick<ListedTool, 'description' | 'schema'>): string {
  return sha256(JSON.stringify([description, schema]))
}
