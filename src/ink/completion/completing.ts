import type { Clock } from '../../clock.ts'
import { isPipeError, unreachable } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { Images } from '../prompt/images.ts'
import type { Prompt } from '../prompt/prompt.ts'
import type { Store } from '../store.ts'
import { isCommanding } from '../vim/vim.ts'
import { ArgumentCompletions } from './argument-completions.ts'
import { type Completion, type CompletionItem, takeCompletion } from './completion.ts'
import type { CompletionAction } from './completion-keys.ts'
import { commandItems, commandNames, findItems, hasValues, withKinds } from './completion-source.ts'
import { type CompletionWord, completionWord } from './completion-word.ts'
import { FileCompletions } from './file-completions.ts'
import { type FuzzyFind, loadFuzzy } from './fuzzy.ts'
import { PromptCompletions } from './prompt-completions.ts'
import { ResourceCompletions } from './resource-completions.ts'

export interface CompletingOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  /** The files that the conversation touched, the last one first, as the model named them. */
  readonly touched: () => readonly string[]
  readonly images: Pick<Images, 'attach'>
  /** Receives internal errors. */
  readonly fail: (error: unknown) => void
  /** Ends all work. */
  readonly signal: AbortSignal
}

/** Makes the lists of completions for the word at the cursor. Loads what it needs for the first such word. */
export class Completing {
  readonly #options: CompletingOptions
  readonly #files: FileCompletions | undefined
  readonly #arguments: ArgumentCompletions
  readonly #resources: ResourceCompletions | undefined
  readonly #prompts: PromptCompletions | undefined
  #find: FuzzyFind | undefined
  #loading: Promise<void> | undefined
  /** The commands, as they were when the word was begun: own ones are read from the disk. */
  #commands: Commands | undefined
  /** The word whose list the user closed. */
  #closed: Pick<CompletionWord, 'type' | 'start'> | undefined
  #search = new AbortController()

  constructor(options: CompletingOptions) {
    this.#options = options
    const { files } = options.api
    const { api, clock, signal, touched, fail } = options
    this.#arguments = new ArgumentCompletions({ api, fail, onMore: () => this.#show() })
    const { resources, serverPrompts: prompts } = api
    const onMore = () => this.#show()
    this.#resources = resources && new ResourceCompletions({ resources, fail, onMore })
    this.#prompts = prompts && new PromptCompletions({ prompts, clock, fail, onMore })
    const close = () => {
      this.#arguments.close()
      this.#prompts?.close()
      this.#resources?.close()
    }
    signal.addEventListener('abort', close, { once: true })
    this.#files = files && new FileCompletions({ files, clock, signal, touched })
  }

  /** Changes the draft, and shows the list for it as far as it is known at once. The rest of it is shown later. */
  edit(prompt: Prompt): void {
    const { store, clock } = this.#options
    const { prompt: before } = store.screen
    // The word may have been sent, or cleared, since its list was closed.
    if (!isSame(this.#closed, completionWord(before.text, before.cursor))) this.#closed = undefined
    // A message from the history is not being written.
    if (prompt.recalled !== before.recalled) this.#closed = completionWord(prompt.text, prompt.cursor)
    store.dispatch({ type: 'edited', prompt, at: clock.monotonic(), completion: this.#read(prompt) })
  }

  act(action: CompletionAction): void {
    const { store } = this.#options
    if (action.type === 'take_completion') {
      this.#take(action.completion)
    } else if (action.type === 'change_completion') {
      store.dispatch({ type: 'completion', completion: action.completion })
    } else if (action.type === 'close_completion') {
      this.#close()
    } else {
      this.#closed = undefined
      this.#show()
    }
  }

  /** Puts the focused item into the draft; an image as what it is. */
  #take(completion: Completion): void {
    const { store, images } = this.#options
    const { prompt } = store.screen
    const { word, items, focus } = completion
    const item = items[focus]
    const isFile = word.type === 'file' && item !== undefined
    const attached = isFile ? images.attach(prompt, item.label, word) : undefined
    this.edit(attached ?? takeCompletion(completion, prompt))
  }

  #close(): void {
    const { store } = this.#options
    const { text, cursor } = store.screen.prompt
    this.#search.abort()
    this.#closed = completionWord(text, cursor)
    store.dispatch({ type: 'completion', completion: undefined })
  }

  /** Returns the list for a draft, and begins to look for what is not known yet. */
  #read(prompt: Prompt): Completion | undefined {
    this.#search.abort()
    const { text, cursor } = prompt
    const word = isCommanding(prompt.vim) ? undefined : completionWord(text, cursor)
    if (word?.type !== 'argument') {
      this.#arguments.close()
      this.#prompts?.close()
    }
    if (word?.type !== 'command') this.#commands = undefined
    if (word?.type !== 'file') this.#resources?.close()
    if (word === undefined || isSame(this.#closed, word)) return undefined
    this.#closed = undefined
    if (!this.#isKnown(word)) return undefined
    this.#search = new AbortController()
    if (this.#find !== undefined) return this.#complete(word, text, this.#find)
    this.#load()
    return undefined
  }

  #isKnown(word: CompletionWord): boolean {
    const { api } = this.#options
    if (word.type === 'command') return true
    if (word.type === 'file') return this.#files !== undefined
    return hasValues(word.command, api) || this.#prompts?.has(word.command) === true
  }

  /** Makes and shows the list for the draft as it is now. */
  #show(): void {
    const { store } = this.#options
    const { prompt } = store.screen
    const completion = this.#read(prompt)
    if (completion !== undefined) this.#dispatch(completion)
  }

  #load(): void {
    this.#loading ??= loadFuzzy().then((find) => {
      this.#find = find
      if (!this.#options.signal.aborted) this.#show()
    })
    this.#loading.catch(this.#options.fail)
  }

  #complete(word: CompletionWord, of: string, find: FuzzyFind): Completion | undefined {
    const list = (items: readonly CompletionItem[], isComplete: boolean): Completion => ({
      word,
      of,
      items,
      focus: 0,
      isMoved: false,
      isComplete,
    })
    switch (word.type) {
      case 'command': {
        this.#commands ??= readCommands(this.#options.api)
        const { items, names } = this.#commands
        return list(findItems(word.query && `/${word.query}`, items, find), names.has(`/${word.query}`))
      }
      case 'argument': {
        if (this.#prompts?.has(word.command) === true) {
          const offered = this.#prompts.find(word.command, word.query, find)
          // The words of a prompt are free: Enter sends them as they are.
          const at = offered && { ...word, start: word.start + offered.before }
          return offered && at && { ...list(offered.items, true), word: at }
        }
        const found = this.#arguments.find(word.command, word.query, find)
        return found && list(found.items, found.isComplete)
      }
      case 'file':
        return this.#completeFile(word, list, find)
      default:
        return unreachable(word)
    }
  }

  #completeFile(
    { query }: CompletionWord,
    list: (items: readonly CompletionItem[], isComplete: boolean) => Completion,
    find: FuzzyFind,
  ): Completion | undefined {
    const resources = this.#resources?.find(query, find)
    if (resources !== undefined) return list(resources, this.#resources?.has(query) === true)
    const files = this.#files
    if (files === undefined) return undefined
    const { signal } = this.#search
    const listFiles = (found: readonly CompletionItem[]) =>
      list(
        withKinds(query, [...(this.#resources?.servers(query) ?? []), ...found], this.#options.api),
        files.has(query),
      )
    const now = files.findNow(query, find)
    this.#later(signal, async () => {
      for await (const found of files.find(query, find, signal)) this.#dispatch(listFiles(found))
    })
    return listFiles(now)
  }

  #dispatch(completion: Completion): void {
    const { store, signal } = this.#options
    const { completion: before } = store.screen
    const isOfSame = before?.of === completion.of
    // Keep the row that the user moved to.
    if (signal.aborted || (isOfSame && before.isMoved)) return
    // A list that shows the same rows need not be drawn again.
    if (isOfSame && isAlike(before, completion)) return
    store.dispatch({ type: 'completion', completion })
  }

  /** Works on the list while it is wanted. A folder that cannot be read has no files to offer. */
  #later(signal: AbortSignal, act: () => Promise<void>): void {
    act().catch((error: unknown) => {
      if (!signal.aborted && !isPipeError(error)) this.#options.fail(error)
    })
  }
}

/** Whether two lists of the same draft hold the same items. */
function isAlike(one: Completion, other: Completion): boolean {
  const { items } = other
  return (
    one.isComplete === other.isComplete &&
    one.items.length === items.length &&
    one.items.every(({ label }, i) => label === items[i]?.label)
  )
}

/** Whether both are there and begin at the same place. */
function isSame(
  one: Pick<CompletionWord, 'type' | 'start'> | undefined,
  other: Pick<CompletionWord, 'type' | 'start'> | undefined,
): boolean {
  return one !== undefined && one.type === other?.type && one.start === other.start
}

interface Commands {
  readonly items: readonly CompletionItem[]
  readonly names: ReadonlySet<string>
}

function readCommands(api: FrontendApi): Commands {
  return { items: commandItems(api), names: commandNames(api) }
}
