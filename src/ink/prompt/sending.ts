import type { When } from '../../conversation.ts'
import { PipeError } from '../../error.ts'
import type { ConversationView, FrontendApi } from '../../frontend/conversation-view.ts'
import type { SlashCommand } from '../../frontend/slash/parsed-slash-command.ts'
import { readSlashCommand } from '../../frontend/slash/slash-command.ts'
import { printable } from '../../terminal/printable.ts'
import type { Commands } from '../commands.ts'
import type { ShownConversation } from '../conversation/shown-conversation.ts'
import type { Store } from '../store.ts'
import type { Tasks } from '../tasks.ts'
import type { TrustPrompt } from '../trust-prompt.ts'
import { Objections } from './objections.ts'
import { isShell, type PromptText, sentText } from './prompt.ts'
import type { PromptHistory } from './prompt-history.ts'
import type { ShellLine } from './shell-line.ts'

export interface SendingOptions {
  readonly store: Store
  readonly api: FrontendApi
  readonly tasks: Tasks
  readonly trustPrompt: TrustPrompt
  readonly commands: Commands
  readonly past: PromptHistory
  readonly shell: ShellLine
  /** Runs an action and reports its error. */
  readonly attempt: (act: () => Promise<void>) => void
  readonly view: () => ConversationView
  /** Returns the open conversation. */
  readonly shown: () => ShownConversation
  readonly note: (text: string) => void
  /** While another conversation opens: resolves with whether it did. */
  readonly changing: () => Promise<boolean> | undefined
}

/** Sends what the user wrote: to the model, to the shell, or as a command to pipe. */
export class Sending {
  readonly #options: SendingOptions
  readonly #objections: Objections

  constructor(options: SendingOptions) {
    this.#options = options
    this.#objections = new Objections(options.api)
  }

  /** Sends the draft, or postpones it until the running task has ended. Throws `PipeError` and keeps it if it cannot be sent. */
  submit(written: PromptText): void | Promise<void> {
    if (isShell(written)) return this.#runInShell(written)
    this.#objections.check(written)
    return this.#sendOrPostpone(written, () => this.#clear(written))
  }

  /** Sends the draft for a turn after the running one. */
  submitAfter(written: PromptText): void | Promise<void> {
    if (isShell(written)) return this.#runInShell(written)
    this.#objections.check(written)
    return this.#sendOrPostpone(written, () => this.#clear(written), 'later')
  }

  /** Sends a text that is no longer in the prompt. */
  send(written: PromptText): void | Promise<void> {
    return this.#sendOrPostpone(written, () => undefined)
  }

  /** Moves the newest waiting message back into the prompt, unless it was delivered meanwhile. */
  takeBack(): void {
    const { store, tasks, shown } = this.#options
    if (tasks.isBusy) store.dispatch({ type: 'taken_back' })
    else shown().takeBack()
  }

  #runInShell(written: PromptText): void | Promise<void> {
    const { shell, view } = this.#options
    return shell.run(sentText(written).slice(1).trim(), view().agentId, () => this.#clear(written))
  }

  /** Empties the prompt of a message that was taken. */
  #clear(written: PromptText): void {
    const { attempt, past } = this.#options
    attempt(() => past.clear({ type: 'sent', written }))
  }

  #sendOrPostpone(written: PromptText, onTaken: () => void, when: When = 'now'): void | Promise<void> {
    const { tasks, changing } = this.#options
    const opening = changing()
    if (opening !== undefined) {
      onTaken()
      return this.#sendAfterChange(opening, written, when)
    }
    if (!tasks.isBusy) return this.#send(written, onTaken, when)
    tasks.postpone(written, printable(sentText(written)))
    onTaken()
  }

  /** Sends a text to the conversation that is about to open, or gives it back if it does not. */
  async #sendAfterChange(opening: Promise<boolean>, written: PromptText, when: When): Promise<void> {
    if (await opening) await this.#sendOrPostpone(written, () => undefined, when)
    else this.#options.store.dispatch({ type: 'given_back', written })
  }

  #send(written: PromptText, onTaken: () => void, when: When): void | Promise<void> {
    const { api, store, tasks, trustPrompt, commands, shown } = this.#options
    const typed = sentText(written)
    const read = this.#readCommand(typed, onTaken)
    const [text, command] = read?.type === 'prompt' ? [read.text, undefined] : [typed, read]
    const question = command === undefined ? api.trustQuestion?.(text) : undefined
    if (question !== undefined) {
      onTaken()
      if (trustPrompt.isAsked) {
        store.dispatch({ type: 'given_back', written })
        throw new PipeError('conflict', 'another message waits for your answer')
      }
      return trustPrompt.ask(question, written)
    }
    const { busySince } = store.screen
    const preparing = command === undefined ? api.prepare?.(text) : undefined
    if (preparing !== undefined && busySince !== undefined) {
      onTaken()
      return this.#sendWhenReady(preparing, written, when)
    }
    if (preparing !== undefined) {
      const prepared = tasks.run({
        doing: 'reading what it names',
        stoppedNote: 'stopped: nothing was sent',
        work: () => preparing,
      })
      tasks.postpone(written, printable(text))
      onTaken()
      return prepared
    }
    const message = command === undefined ? api.compose(text) : undefined
    onTaken()
    if (command !== undefined) return commands.runCommand(command)
    if (message !== undefined) shown().send(message, { text: printable(text), written }, when)
  }

  /** Sends a text for the running turn once what it names was read, or gives it back. */
  async #sendWhenReady(
    preparing: Promise<string | undefined>,
    written: PromptText,
    when: When,
  ): Promise<void> {
    const { store, note } = this.#options
    try {
      const told = await preparing
      if (told !== undefined) note(told)
    } catch (error) {
      store.dispatch({ type: 'given_back', written })
      throw error
    }
    return this.#sendOrPostpone(written, () => undefined, when)
  }

  /** Parses a command. Removes an invalid one from the prompt too, so that later text is not appended to it. Up recalls it. */
  #readCommand(text: string, onTaken: () => void): SlashCommand | undefined {
    try {
      return readSlashCommand(text, this.#options.api)
    } catch (error) {
      onTaken()
      throw error
    }
  }
}
