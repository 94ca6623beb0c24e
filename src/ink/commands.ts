import type { Clock } from '../clock.ts'
import type { Abilities, ConversationView } from '../conversation-view.ts'
import { modelName } from '../engine.ts'
import { unreachable } from '../error.ts'
import type { PermissionMode } from '../permission.ts'
import { contextReport } from '../text/context-report.ts'
import type { SlashCommand } from '../text/slash-command.ts'
import type { GoingBack } from './going-back.ts'
import { helpText } from './help.ts'
import type { Panels } from './panel/panels.ts'
import type { Picking } from './picking.ts'
import { sessionItems, sessionsTitle } from './session-items.ts'
import { modelStatus } from './status.ts'
import type { Store } from './store.ts'
import type { Tasks } from './tasks.ts'
import type { Turns } from './turns.ts'

export interface CommandsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly abilities: Abilities
  readonly tasks: Tasks
  readonly picking: Picking
  readonly goingBack: GoingBack
  readonly panels: Panels
  /** Returns the turns of the open conversation. */
  readonly turns: () => Turns
  /** Ends the open conversation's turn and switches to another conversation. */
  readonly change: (open: (() => Promise<ConversationView>) | undefined) => Promise<void>
  readonly note: (text: string) => void
  readonly quit: () => void
}

/** Runs the slash commands of the screen. */
export class Commands {
  readonly #options: CommandsOptions

  constructor(options: CommandsOptions) {
    this.#options = options
  }

  /** Runs a command. Throws `PipeError` if it fails. */
  obey(command: SlashCommand): void | Promise<void> {
    const { store, abilities } = this.#options
    const { model, mode } = store.screen.status
    switch (command.type) {
      case 'help':
        return this.#options.note(helpText(abilities, store.screen.size.columns))
      case 'model':
        return command.name === undefined
          ? this.#options.note(`model: ${model}`)
          : this.#chooseModel(command.name)
      case 'mode':
        return command.mode === undefined
          ? this.#options.note(`mode: ${mode ?? 'default'}`)
          : this.setMode(command.mode)
      case 'compact':
        return this.#options.turns().compact(command.keep)
      case 'context':
        return this.#options.note(
          contextReport(this.#options.turns().view.engine.contextUse(), store.screen.size.columns),
        )
      case 'undo':
        return this.#undo({ redo: command.redo, force: command.force })
      case 'clear':
        return this.#begin()
      case 'resume':
        return command.id === undefined ? this.#chooseSession() : this.#resume(command.id)
      case 'rename':
        return this.#rename(command.title)
      case 'recall':
        return this.#recall(command.words)
      case 'export':
        return this.#export(command.file)
      case 'rewind':
        return this.#options.goingBack.rewind(command.argument)
      case 'tree':
        return this.#options.goingBack.tree(command.argument)
      case 'elves':
        return this.#options.panels.openElves()
      case 'tasks':
        return this.#options.panels.openTasks()
      case 'task':
        return this.#options.panels.addTask(command.text)
      case 'quit':
        return this.#options.quit()
      default:
        return unreachable(command)
    }
  }

  async setMode(mode: PermissionMode): Promise<void> {
    const { store, abilities } = this.#options
    if (abilities.setMode === undefined) return
    const told = abilities.setMode(mode)
    store.dispatch({ type: 'status', status: { mode } })
    const note = await told
    if (note !== undefined) this.#options.note(note)
  }

  async #chooseModel(name: string): Promise<void> {
    const { store, abilities } = this.#options
    const choice = await abilities.chooseModel?.(name)
    if (choice === undefined) return
    this.#options.turns().view.engine.send({ type: 'set_model', choice })
    const model = modelName(choice)
    store.dispatch({ type: 'status', status: modelStatus(model, abilities) })
    this.#options.note(`model: ${model}`)
  }

  #recall(words: string): Promise<void> {
    const { abilities, tasks } = this.#options
    const act = async (signal: AbortSignal) => abilities.recall?.(words, signal)
    return tasks.run({ doing: 'searching', stopped: 'the search was stopped', act })
  }

  async #export(file: string | undefined): Promise<void> {
    const report = await this.#options.abilities.exportConversation?.(file)
    if (report !== undefined) this.#options.note(report)
  }

  async #rename(title: string): Promise<void> {
    const kept = await this.#options.abilities.rename?.(title)
    if (kept !== undefined) this.#options.note(`title: ${kept}`)
  }

  #undo(wanted: { readonly redo: boolean; readonly force: boolean }): Promise<void> {
    const { abilities } = this.#options
    return this.#options.tasks.run({
      doing: wanted.redo ? 'redoing' : 'undoing',
      stopped: `stopped: nothing was ${wanted.redo ? 'redone' : 'undone'}`,
      act: async (signal) => {
        await this.#options.turns().close()
        return abilities.undo?.({ ...wanted, signal })
      },
    })
  }

  /** Lists the other conversations of this folder to choose one. */
  async #chooseSession(): Promise<void> {
    const { abilities, clock, note } = this.#options
    const sessions = abilities.sessions?.()
    if (sessions === undefined) return
    const { sessionId } = this.#options.turns().view
    await this.#options.picking.open({
      title: sessionsTitle,
      items: sessionItems(sessions, { now: clock.now(), except: sessionId, note }),
      none: 'there is no other conversation in this folder to continue',
      onChosen: (id) => this.#resume(id),
    })
  }

  #resume(id: string): Promise<void> {
    const { abilities } = this.#options
    return this.#options.change(abilities.openConversation?.bind(abilities, id))
  }

  async #begin(): Promise<void> {
    const { abilities } = this.#options
    await this.#options.change(abilities.newConversation?.bind(abilities))
    this.#options.note('a new conversation')
  }
}
