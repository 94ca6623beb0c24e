import { isSurvivable, PipeError } from '../../../error.ts'
import { mentionedResource, mentions } from '../../../frontend/mentions.ts'
import { type AttachOptions, attachResource } from '../../../mcp/material/attached-resource.ts'
import { attachPrompt } from '../../../mcp/material/called-prompt.ts'
import type { ServerPool } from '../../../mcp/server-pool.ts'
import type { ContentBlock } from '../../../message.ts'

/** Brings material of MCP servers into prompts. */
export interface ServerMaterial {
  /** Names it for the user. */
  readonly name: string
  readonly blocks: readonly ContentBlock[]
}

/** The resources that prompts mention as `@SERVER:URI`, and the prompts of servers that they call. Each message reads them anew. */
export class ServerMentions {
  readonly #pool: ServerPool
  readonly #options: Omit<AttachOptions, 'signal'>
  #read: { readonly key: string; readonly found: readonly ServerMaterial[]; isTaken: boolean } | undefined

  constructor(pool: ServerPool, options: Omit<AttachOptions, 'signal'>) {
    this.#pool = pool
    this.#options = options
  }

  /** Reads those of a prompt; `undefined` if there are none to read. Throws `tool`, `input` with what could not be read, and `aborted`. */
  prepare(prompt: string, signal: AbortSignal): Promise<void> | undefined {
    const key = keyOf(prompt)
    if (this.#read?.key === key && !this.#read.isTaken) return undefined
    const wanted = [...this.#resourcesIn(prompt), ...this.#promptIn(prompt)]
    if (wanted.length === 0) return undefined
    return Promise.all(wanted.map((read) => read(signal))).then((found) => {
      this.#read = { key, found, isTaken: false }
    })
  }

  /** Returns those of a prompt that were read. */
  of(prompt: string): readonly ServerMaterial[] {
    if (this.#read?.key !== keyOf(prompt)) return []
    this.#read.isTaken = true
    return this.#read.found
  }

  #resourcesIn(prompt: string): readonly Reading[] {
    return mentions(prompt).flatMap((word) => {
      const { server: name = '', uri = '' } = mentionedResource(word) ?? {}
      const server = this.#pool.find(name)
      if (server === undefined) return []
      return async (signal) => {
        const blocks = await naming(`@${word}`, attachResource(server, uri, { ...this.#options, signal }))
        return { name: `${name}:${uri}`, blocks }
      }
    })
  }

  #promptIn(prompt: string): readonly Reading[] {
    const [, name = '', words = ''] = /^\/([\p{L}\p{N}_:-]+)(?=\s|$)([\s\S]*)$/u.exec(prompt) ?? []
    if (this.#pool.promptOwner(name) === undefined) return []
    return [
      async (signal) => {
        const found = await this.#pool.prompt(name, signal)
        const call = { ...found, command: `/${name}`, words: words.trim() }
        return { name: `prompt ${name}`, blocks: await attachPrompt(call, { ...this.#options, signal }) }
      },
    ]
  }
}

/** Makes both names of a server's prompt one: a list that is read meanwhile may change the one into the other. */
function keyOf(prompt: string): string {
  return prompt.trimEnd().replace(/^\/mcp__([^\s:]*?)__/, '/$1:')
}

type Reading = (signal: AbortSignal) => Promise<ServerMaterial>

/** Says what could not be attached. */
async function naming<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isSurvivable(error)) throw error
    throw new PipeError(error.code, `cannot attach ${name}: ${error.message}`, { cause: error })
  }
}
