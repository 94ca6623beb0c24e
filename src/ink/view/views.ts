import type { Clock } from '../../clock.ts'
import { isPipeError, unreachable } from '../../error.ts'
import type { FrontendApi, OutputFile } from '../../frontend/conversation-view.ts'
import type { Message } from '../../message.ts'
import { printable } from '../../terminal/printable.ts'
import type { Store } from '../store.ts'
import { contextView } from './context-view.ts'
import { costView } from './cost-view.ts'
import { diffOfCalls, diffView } from './diff-view.ts'
import { helpView } from './help-view.ts'
import { outputView, spillOf } from './output-view.ts'
import { endedCalls } from './recent.ts'
import type { ViewSearch } from './source.ts'
import { thoughtsView } from './thoughts-view.ts'
import type { View } from './view.ts'
import { type OpenViewAction, shownFound, type ViewAction, type ViewVerb } from './view-keys.ts'

export interface ViewsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  readonly note: (text: string) => void
  /** Lends the terminal to another program until `use` is over. Absent: none can have it. */
  readonly lend: ((use: () => Promise<void>) => Promise<void>) | undefined
  /** Returns the messages of the conversation, as far as they are known here. */
  readonly messages: () => readonly Message[]
}

/** Opens views of the whole screen, one at a time, and does what their keys ask for. */
export class Views {
  readonly #options: ViewsOptions
  /** The file that the open view reads. */
  #file: OutputFile | undefined
  #searching = new AbortController()

  constructor(options: ViewsOptions) {
    this.#options = options
  }

  /** Does what a key asks for. Throws what the file of an output throws. */
  act(action: OpenViewAction | Exclude<ViewAction, { readonly type: 'nothing' }>): Promise<void> | void {
    switch (action.type) {
      case 'open_output':
        return this.#openOutput()
      case 'toggle_thoughts':
        return this.#show(thoughtsView(this.#options.store.screen))
      case 'change_view':
        return this.#options.store.dispatch({ type: 'view', view: action.view })
      case 'search_view':
        return this.#search(action.search)
      case 'use_view':
        return this.#use(action.verb)
      case 'close_view':
        return this.close()
      default:
        return unreachable(action)
    }
  }

  /** Shows the output of the last call. */
  #openOutput(): Promise<void> | void {
    const calls = endedCalls(this.#options.store.screen)
    if (calls.length === 0) return this.#options.note('No tool call has ended yet.')
    return this.#openCall(calls.length - 1)
  }

  openContext(): void {
    const use = this.#options.api.contextUse?.()
    if (use !== undefined) this.#show(contextView(use))
  }

  openCost(): void {
    const { store, messages } = this.#options
    this.#show(costView(store.screen, messages()))
  }

  /**
   * Shows what the last turn changed, or all turns: from the saved files, else from the calls that are known here. Returns a note if
   * there is nothing to show. Throws `aborted`.
   */
  async openDiff(isAll: boolean, signal: AbortSignal): Promise<string | undefined> {
    const { store, api } = this.#options
    const saved = await api.changes?.({ isAll, signal })
    const { syntax } = store.screen
    const diff = saved ?? diffOfCalls(endedCalls(store.screen))
    if (diff === undefined || diff.trim() === '') return 'No turn of this conversation has changed files.'
    const changed = isAll ? 'What this conversation changed' : 'What the last turn changed'
    this.#show(diffView(saved === undefined ? 'What the last edits changed' : changed, diff, syntax))
    return undefined
  }

  openHelp(): void {
    const { store, api } = this.#options
    this.#show(helpView(api, store.screen))
  }

  /** Shows a view, in place of the open one. */
  #show(view: View): void {
    this.#release()
    this.#options.store.dispatch({ type: 'view', view })
  }

  /** Searches the open view and shows the nearest line found; behind the last one, it goes on at the other end. */
  async #search(search: ViewSearch): Promise<void> {
    this.#searching.abort()
    const searching = new AbortController()
    this.#searching = searching
    const { store } = this.#options
    const { view: searched, size } = store.screen
    if (searched === undefined) return
    const { source } = searched
    const far = search.isBackward ? source.end(size.columns) : 0
    let at = await this.#find(searched, search, searching.signal)
    const isWrapped = at === undefined && search.from !== far
    if (isWrapped) at = await this.#find(searched, { ...search, from: far }, searching.signal)
    const { view } = store.screen
    if (searching.signal.aborted || view?.source !== source) return
    const found = shownFound(view, search, at, store.screen.size)
    const note =
      at === undefined
        ? 'not found'
        : isWrapped
          ? `from the ${search.isBackward ? 'end' : 'start'}`
          : undefined
    store.dispatch({ type: 'view', view: { ...found, note } })
  }

  /** Throws what the file and the user's pager throw. */
  #use(verb: ViewVerb): Promise<void> | void {
    const { view } = this.#options.store.screen
    if (view?.type !== 'output' || view.call === undefined) return
    if (verb === 'outside') return this.#page(view)
    return this.#openCall(view.call + (verb === 'next' ? 1 : -1))
  }

  /** Closes the view, if one is open, and the file that it reads. */
  close(): void {
    this.#release()
    const { store } = this.#options
    if (store.screen.view !== undefined) store.dispatch({ type: 'view', view: undefined })
  }

  async #openCall(index: number): Promise<void> {
    const { store, api, lend } = this.#options
    const calls = endedCalls(store.screen)
    const call = calls[index]
    if (call === undefined) return
    const spill = spillOf(call)
    const file = spill === undefined ? undefined : await this.#openFile(spill)
    const view = outputView({
      calls,
      index,
      file,
      syntax: store.screen.syntax,
      hasPager: api.page !== undefined && lend !== undefined,
    })
    if (view === undefined) return
    this.#show(view)
    this.#file = file
  }

  /** Shows the output in the user's own pager. What goes wrong there is said in the view. */
  async #page(view: View): Promise<void> {
    const { store, api, lend } = this.#options
    const call = endedCalls(store.screen)[view.call ?? -1]
    const page = api.page?.bind(api)
    if (call === undefined || page === undefined || lend === undefined) return
    const path = this.#file === undefined ? undefined : spillOf(call)
    try {
      await lend(() => page(path === undefined ? { type: 'text', text: call.text } : { type: 'file', path }))
    } catch (error) {
      if (!isPipeError(error)) throw error
      const { view: now } = store.screen
      if (now !== undefined)
        store.dispatch({ type: 'view', view: { ...now, note: printable(error.message) } })
    }
  }

  /** Opens the file with the whole output. Once it is gone, the result of the call has to do. */
  async #openFile(path: string): Promise<OutputFile | undefined> {
    try {
      return await this.#options.api.openOutput?.(path)
    } catch (error) {
      if (isPipeError(error)) return undefined
      throw error
    }
  }

  async #find(view: View, search: ViewSearch, signal: AbortSignal): Promise<number | undefined> {
    const { store, clock } = this.#options
    const steps = view.source.find(search, store.screen.size.columns)
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      try {
        await clock.sleep(0, signal)
      } catch (error) {
        if (signal.aborted) return undefined
        throw error
      }
    }
  }

  #release(): void {
    this.#searching.abort()
    this.#file?.close()
    this.#file = undefined
  }
}
