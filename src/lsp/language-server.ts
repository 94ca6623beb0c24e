import { errorText, isPipeError, PipeError, untilAborted } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { FoundLanguage } from '../machine/language-setup.ts'
import { OneByOne } from '../records/one-by-one.ts'
import type { FileText } from './file-error.ts'
import { errorsOf, type PublishedNews } from './file-errors.ts'
import { OpenDocuments, readPublished } from './open-documents.ts'
import type { ProtocolLink } from './protocol-link.ts'
import { type LanguagePlatform, type StartedServer, startLanguageServer } from './server-start.ts'

/** Names the state of a language server. */
export type LanguageState =
  | { readonly type: 'idle' | 'starting' | 'ready' }
  | { readonly type: 'failed'; readonly reason: string }

export interface LanguageServerOptions {
  readonly language: FoundLanguage
  /** The folder of the project. */
  readonly root: string
  readonly platform: LanguagePlatform
  /** Hears why the server failed, each time. */
  readonly onFault: (reason: string) => void
}

/** Time in ms for a start or an answer. Afterwards the server counts as one that hangs. */
const longest = 60_000
/** Work that waits for a server. One that is further behind gets no more. */
const mostWaiting = 20
/** Starts of a server in one session. */
const mostStarts = 3

interface Running {
  readonly server: StartedServer
  readonly documents: OpenDocuments
}

/** A language server that is started when it is needed, and again after it died. It does one piece of work at a time. */
export class LanguageServer {
  readonly language: FoundLanguage
  readonly #options: LanguageServerOptions
  readonly #stop = new AbortController()
  #state: LanguageState = { type: 'idle' }
  #running: Promise<Running> | undefined
  #link: ProtocolLink | undefined
  #starts = 0
  #waiting = 0
  readonly #work = new OneByOne()
  #documents: OpenDocuments | undefined
  #published: PublishedNews | undefined

  constructor(options: LanguageServerOptions) {
    this.#options = options
    this.language = options.language
  }

  get state(): LanguageState {
    return this.#state
  }

  /** Whether any work waits for it. */
  get isBusy(): boolean {
    return this.#waiting > 0
  }

  /** Finds the errors of a file before and after an edit. A file that was not there had none. Throws `tool`, `aborted`. */
  compare(
    path: string,
    { before, after }: { readonly before: string | undefined; readonly after: string },
  ): Promise<{ readonly before: FileText; readonly after: FileText }> {
    return this.#next(async (running, signal) => {
      const judge = async (text: string): Promise<FileText> => ({
        text,
        errors: await this.#errors(running, { path, text }, signal),
      })
      const none: FileText = { text: '', errors: [] }
      if (before === undefined) return { before: none, after: await judge(after) }
      const first = await judge(before)
      const isGuess = running.documents.namesVersion(path) === false
      const last = { before: first, after: await judge(after) }
      // A server that was loading the project then may have judged the disk, which had the edit already.
      if (!isGuess || last.after.errors.length === 0 || !running.documents.namesVersion(path)) return last
      const again = await judge(before)
      running.documents.show(path, after)
      return { before: again, after: last.after }
    })
  }

  /** Sends a request about a file; `undefined` if the server does not offer it. Throws `tool`, `aborted`. */
  ask(
    file: { readonly path: string; readonly text: string },
    {
      provider,
      method,
      params,
    }: { readonly provider: string; readonly method: string; readonly params: (uri: string) => JsonValue },
    stop: AbortSignal,
  ): Promise<JsonValue | undefined> {
    const asked = this.#next(async (running, own) => {
      const signal = AbortSignal.any([own, stop])
      const { server, documents } = running
      if (!server.offers(provider)) return undefined
      // A server that has judged the file has loaded its project. Before, some answer from open files alone.
      await this.#errors(running, file, signal)
      return server.link.request(method, params(documents.show(file.path, file.text).uri), signal)
    })
    return untilAborted(asked, stop)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#link?.close()
    await this.#work.ended()
  }

  /** Does a piece of work after those that wait. One that takes too long ends the server. */
  #next<T>(work: (running: Running, signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#waiting >= mostWaiting)
      return Promise.reject(
        new PipeError('tool', `${this.language.name}: its language server cannot keep up`),
      )
    this.#waiting += 1
    return this.#work
      .run(() => this.#within(longest, (signal) => this.#run(work, signal)))
      .finally(() => {
        this.#waiting -= 1
      })
  }

  async #run<T>(
    work: (running: Running, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    this.#running ??= this.#start(signal)
    const running = await this.#running
    const result = await work(running, signal)
    running.server.link.settle()
    return result
  }

  async #within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController()
    const cancel = this.#options.platform.clock.after(ms, () => {
      this.#fail(`it did not answer within ${ms / 1_000} s`)
      // One that hangs is not tried again.
      this.#starts = mostStarts
      limit.abort()
    })
    try {
      return await work(AbortSignal.any([this.#stop.signal, limit.signal]))
    } catch (error) {
      if (!limit.signal.aborted) throw error
      await this.#link?.close()
      throw new PipeError('tool', 'its language server does not respond', { cause: error })
    } finally {
      cancel()
    }
  }

  async #start(signal: AbortSignal): Promise<Running> {
    const { language, root, platform } = this.#options
    if (this.#starts >= mostStarts) {
      const reason = this.#state.type === 'failed' ? this.#state.reason : 'it failed too often'
      throw new PipeError('tool', `${language.name}: its language server failed: ${reason}`)
    }
    this.#starts += 1
    this.#state = { type: 'starting' }
    try {
      const server = await startLanguageServer({
        language,
        root,
        platform,
        signal,
        onLink: (link) => {
          this.#link = link
        },
        onNews: (method, params) => this.#hear(method, params),
        onEnd: () => this.#fail(this.#link?.reason ?? 'it ended'),
      })
      if (this.#state.type === 'starting') this.#state = { type: 'ready' }
      this.#documents = new OpenDocuments(server.link, language)
      return { server, documents: this.#documents }
    } catch (error) {
      this.#fail(errorText(error))
      await this.#link?.close()
      throw isPipeError(error) ? error : new PipeError('tool', `${language.name}: ${String(error)}`)
    }
  }

  async #errors(
    { server, documents }: Running,
    { path, text }: { readonly path: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<FileText['errors']> {
    const { clock, clean } = this.#options.platform
    const document = documents.show(path, text)
    document.errors ??= await errorsOf(document, {
      server,
      clock,
      clean,
      signal,
      watch: (news) => {
        this.#published = news
      },
    })
    return document.errors
  }

  #hear(method: string, params: JsonValue | undefined): void {
    if (method !== 'textDocument/publishDiagnostics' || !isJsonObject(params)) return
    const published = readPublished(params, this.#options.platform.clean)
    if (published === undefined) return
    this.#documents?.note(published)
    this.#published?.(published)
  }

  #fail(reason: string): void {
    this.#running = undefined
    if (this.#stop.signal.aborted || this.#state.type === 'failed') return
    this.#state = { type: 'failed', reason }
    this.#options.onFault(reason)
  }
}
