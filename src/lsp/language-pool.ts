import { extname } from 'node:path'
import type { FoundLanguage, LanguageSetup } from '../machine/language-setup.ts'
import { onlyOnce } from '../records/only-once.ts'
import { LanguageServer, type LanguageState } from './language-server.ts'
import type { LanguagePlatform } from './server-start.ts'

export interface LanguagePoolOptions {
  readonly languages: readonly LanguageSetup[]
  /** Finds the program of a server. Returns why it cannot be used, if it is there and cannot; `undefined` if it is not there. */
  readonly locate: (language: LanguageSetup) => FoundLanguage | string | undefined
  readonly platform: LanguagePlatform
}

/** Servers that run at the same time. Each holds hundreds of megabytes. */
const mostServers = 4

/** The language servers of a run, one for each language and project. Its elves share them. */
export class LanguagePool {
  readonly #options: LanguagePoolOptions
  readonly #found = new Map<string, FoundLanguage | string | undefined>()
  /** The one used last at the end. */
  readonly #servers = new Map<string, LanguageServer>()
  readonly #faults: string[] = []
  readonly #tell = onlyOnce((fault) => this.#faults.push(fault))
  readonly #leaving = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: LanguagePoolOptions) {
    this.#options = options
  }

  /** Returns the server for a file of a project. Starts none. `undefined` if there is none for it. */
  serverOf(path: string, root: string): LanguageServer | undefined {
    const language = this.#languageOf(path)
    if (language === undefined || this.#isClosed) return undefined
    const key = `${language.name}\n${root}`
    const server = this.#servers.get(key) ?? this.#create(language, root)
    this.#servers.delete(key)
    this.#servers.set(key, server)
    this.#makeRoom()
    return server
  }

  states(): readonly { readonly name: string; readonly state: LanguageState }[] {
    return [...this.#servers.values()].map(({ language, state }) => ({ name: language.name, state }))
  }

  /** Returns sentences about servers that do not work, each once. */
  takeFaults(): readonly string[] {
    return this.#faults.splice(0)
  }

  /** Ends the servers of a project. */
  async leave(root: string): Promise<void> {
    const leaving = [...this.#servers].filter(([key]) => key.endsWith(`\n${root}`))
    for (const [key] of leaving) this.#servers.delete(key)
    await Promise.all(leaving.map(([, server]) => server.close()))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...[...this.#servers.values()].map((one) => one.close()), ...this.#leaving])
  }

  #create(language: FoundLanguage, root: string): LanguageServer {
    const { platform } = this.#options
    const onFault = (reason: string) =>
      this.#tell(`the language server ${language.command[0]} failed: ${reason}`)
    return new LanguageServer({ language, root, platform, onFault })
  }

  #languageOf(path: string): FoundLanguage | undefined {
    const ending = extname(path)
    const setup = this.#options.languages.find(({ languageIds }) => Object.hasOwn(languageIds, ending))
    if (setup === undefined) return undefined
    if (!this.#found.has(setup.name)) this.#found.set(setup.name, this.#options.locate(setup))
    const found = this.#found.get(setup.name)
    if (typeof found !== 'string') return found
    this.#tell(`the language server ${setup.command[0]} cannot be used: ${found}`)
    return undefined
  }

  /** Ends the server that was not used for longest, unless it works. */
  #makeRoom(): void {
    const idle = [...this.#servers].slice(0, -1).find(([, server]) => !server.isBusy)
    if (this.#servers.size <= mostServers || idle === undefined) return
    const [key, server] = idle
    this.#servers.delete(key)
    const leaving = server.close().finally(() => this.#leaving.delete(leaving))
    this.#leaving.add(leaving)
  }
}
