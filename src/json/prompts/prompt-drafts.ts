import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ownerOf, processMark } from '../../files/lock/process-mark.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { fileError, systemCode } from '../../files/system-error.ts'
import { writeAtomically } from '../../files/writing/atomic.ts'
import type { PastPrompt, PastPrompts } from '../../frontend/past-prompts.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { encodePrompt, readHistoryLine } from './prompt-history-file.ts'

/** Milliseconds without a change after which a draft of another machine, container or boot counts as left. */
const foreignLeftMs = 60_000

export interface PromptDraftsOptions {
  /** Holds one file for each process with a draft. Need not exist. Only its owner may read it. */
  readonly folder: string
  readonly redact: () => Promise<Redact>
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** Keeps the draft that is being written in a folder, for the case that this process dies. */
export class PromptDrafts implements Pick<PastPrompts, 'keepDraft' | 'takeDraft'> {
  readonly #options: PromptDraftsOptions
  readonly #name = `${processMark()}draft.json`

  constructor(options: PromptDraftsOptions) {
    this.#options = options
  }

  get #path(): string {
    return join(this.#options.folder, this.#name)
  }

  async keepDraft(draft: PastPrompt | undefined): Promise<void> {
    const { folder, redact } = this.#options
    try {
      if (draft === undefined) {
        await rm(this.#path, { force: true })
        return
      }
      makePrivateFolder(folder)
      const bytes = Buffer.from(encodePrompt(draft, await redact()))
      await writeAtomically(this.#path, bytes, { mode: 0o600 })
    } catch (error) {
      throw fileError(error, this.#path, 'write')
    }
  }

  async takeDraft(): Promise<PastPrompt | undefined> {
    const { folder } = this.#options
    for (const name of await this.#left()) {
      const prompt = await this.#claim(join(folder, name))
      if (prompt !== undefined) return prompt
    }
    return undefined
  }

  /** Returns the names of drafts that were left, newest first. */
  async #left(): Promise<readonly string[]> {
    const { folder, now } = this.#options
    const found: { readonly name: string; readonly changed: number }[] = []
    try {
      for (const name of await readdir(folder)) {
        const owner = ownerOf(name)
        if (!name.endsWith('draft.json') || owner === 'alive' || owner === undefined) continue
        const { mtimeMs: changed } = await stat(join(folder, name))
        if (owner === 'dead' || now() - changed > foreignLeftMs) found.push({ name, changed })
      }
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw fileError(error, folder, 'read')
    }
    return found.toSorted((a, b) => b.changed - a.changed).map(({ name }) => name)
  }

  /** Makes a draft this process's own and reads it. `undefined` if another process was faster, or if it is damaged. */
  async #claim(path: string): Promise<PastPrompt | undefined> {
    try {
      await rename(path, this.#path)
      return readHistoryLine(await readFile(this.#path, 'utf8'))
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw fileError(error, path, 'read')
    }
  }
}
