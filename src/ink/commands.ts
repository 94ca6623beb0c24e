import type { Clock } from '../clock.ts'
import { throwIfAborted, unreachable } from '../error.ts'
import type { FrontendApi } from '../frontend/conversation-view.ts'
import type { SlashCommand } from '../frontend/slash/parsed-slash-command.ts'
import type { Copied } from '../frontend/slash/slash-arguments.ts'
import { modeWords } from '../frontend/words/mode-words.ts'
import { Login } from './choices/login.ts'
import { ModelPicker } from './choices/model-choice.ts'
import { ProcessList } from './choices/process-list.ts'
import type { Rewind } from './choices/rewind.ts'
import type { SecretAction } from './choices/secret-entry.ts'
import { openSessionLists } from './choices/session-lists.ts'
import { SessionPreviews } from './choices/session-previews.ts'
import { SettingList } from './choices/setting-list.ts'
import { ThemeChoice } from './choices/theme-choice.ts'
import { type Clipboard, copyAnswer } from './clipboard-copy.ts'
import type { ShownConversation } from './conversation/shown-conversation.ts'
import { settledOrAborted } from './conversation/shown-events.ts'
import type { ModeControl } from './mode-control.ts'
import type { Panels } from './panel/panels.ts'
import type { Picking } from './picker/picking.ts'
import type { ThemeSetting } from './rows/theme.ts'
import type { Store } from './store.ts'
import type { Tasks } from './tasks.ts'
import type { Views } from './view/views.ts'
import { switchEditor } from './vim/vim-switch.ts'

/** Opens another conversation. */
export type OpenAnother = NonNullable<FrontendApi['newConversation']>

export interface CommandsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  readonly tasks: Tasks
  readonly picking: Picking
  readonly rewind: Rewind
  readonly panels: Panels
  readonly modes: ModeControl
  readonly views: Views
  /** Default: there is none. */
  readonly clipboard?: Clipboard | undefined
  /** The user's setting of the colours. Default: `auto`. */
  readonly themeSetting?: ThemeSetting | undefined
  /** Ends with the screen. */
  readonly signal: AbortSignal
  /** Returns the turns of the open conversation. */
  readonly shown: () => ShownConversation
  /** Leaves the open conversation and switches to another one. */
  readonly change: (open: OpenAnother | undefined) => Promise<void>
  /** Does the same once this has made sure that it can. A refusal leaves the running turn alone. */
  readonly changeOnceReady: (prepare: (() => Promise<OpenAnother>) | undefined) => Promise<void>
  readonly note: (text: string) => void
  readonly quit: () => void
}

/** Runs the slash commands of the screen. */
export class Commands {
  readonly #options: CommandsOptions
  readonly #login: Login | undefined
  readonly #models: ModelPicker
  readonly #themes: ThemeChoice
  readonly #processes: ProcessList
  readonly #settings: SettingList

  constructor(options: CommandsOptions) {
    this.#options = options
    const { api, themeSetting: setting = 'auto' } = options
    const keys = api.keys?.bind(api)
    const login = keys && new Login({ ...options, keys })
    this.#login = login
    const ask = login && ((provider: string, neededBy: string) => login.ask(provider, { neededBy }))
    this.#models = new ModelPicker({ ...options, login: ask })
    this.#themes = new ThemeChoice({ ...options, setting })
    this.#processes = new ProcessList({ ...options, commands: api.background })
    const chooseTheme = (name: string) => this.#themes.choose(name)
    this.#settings = new SettingList({ ...options, settings: api.settings, chooseTheme })
  }

  /** Switches to the next model. */
  nextModel(): Promise<void> {
    return this.#models.next()
  }

  /** Uses what the user does with a hidden line. */
  takeSecret(action: SecretAction): void | Promise<void> {
    return this.#login?.act(action)
  }

  /** Runs a command. Throws `PipeError` if it fails. */
  runCommand(command: Exclude<SlashCommand, { readonly type: 'prompt' }>): void | Promise<void> {
    const { mode } = this.#options.store.screen.status
    switch (command.type) {
      case 'help':
        return this.#options.views.openHelp()
      case 'model':
        return this.#models.choose(command.name)
      case 'thinking':
        return this.#models.think(command.level)
      case 'mode':
        return command.mode === undefined
          ? this.#options.note(`mode: ${modeWords[mode ?? 'default'].short}`)
          : this.#options.modes.set(command.mode)
      case 'compact':
        return this.#options.shown().compact(command.keep)
      case 'context':
        return this.#options.views.openContext()
      case 'cost':
        return this.#options.views.openCost()
      case 'diff':
        return this.#showDiff(command.isAll)
      case 'copy':
        return this.#copy(command.what)
      case 'undo':
        return this.#undo({ redo: command.redo, force: command.force })
      case 'clear':
        return this.#begin()
      case 'resume':
        return command.id === undefined ? this.#chooseSession() : this.#resume(command.id)
      case 'fork':
        return this.#fork()
      case 'permissions':
        return this.#showReport(this.#options.api.permissions?.())
      case 'mcp':
        return this.#showServers(command.name)
      case 'hooks':
        return this.#showReport(this.#options.api.hooks?.())
      case 'skills':
        return this.#showReport(this.#options.api.skillReport?.())
      case 'agents':
        return this.#showReport(this.#options.api.agentReport?.())
      case 'status':
        return this.#showReport(this.#options.api.statusReport?.())
      case 'config':
        return this.#settings.open(command.key, command.value)
      case 'processes':
        return this.#processes.open()
      case 'theme':
        return this.#themes.choose(command.name)
      case 'vim':
        return this.#options.note(switchEditor(this.#options.store))
      case 'login':
        return this.#askForKey(command.provider)
      case 'doctor':
        return this.#runDoctor()
      case 'rename':
        return this.#rename(command.title)
      case 'recall':
        return this.#recall(command.words)
      case 'remember':
        return this.#remember(command)
      case 'export':
        return this.#export(command.file)
      case 'rewind':
        return this.#options.rewind.rewind(command.argument)
      case 'tree':
        return this.#options.rewind.tree(command.argument)
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

  async #showDiff(isAll: boolean): Promise<void> {
    const { store, tasks, views, shown, note, signal: closing } = this.#options
    if (store.screen.busySince !== undefined) {
      const told = await views.openDiff(isAll, closing)
      if (told !== undefined) note(told)
      return
    }
    const work = async (stop: AbortSignal) => {
      const signal = AbortSignal.any([stop, closing])
      // Files are saved after the end that the screen shows.
      await settledOrAborted(shown().ended(), signal)
      throwIfAborted(signal)
      return views.openDiff(isAll, signal)
    }
    await tasks.run({ doing: 'comparing files', stoppedNote: 'stopped comparing files', work })
  }

  #copy(what: Copied): void {
    const { store, clipboard, note } = this.#options
    if (clipboard !== undefined) note(copyAnswer(what, store, clipboard))
  }

  #recall(words: string): Promise<void> {
    const { api, tasks } = this.#options
    const work = async (signal: AbortSignal) => api.recall?.(words, signal)
    return tasks.run({ doing: 'searching', stoppedNote: 'the search was stopped', work })
  }

  async #remember({ text, scope }: Extract<SlashCommand, { readonly type: 'remember' }>): Promise<void> {
    const report = await this.#options.api.remember?.(text, scope)
    if (report !== undefined) this.#options.note(report)
  }

  async #export(file: string | undefined): Promise<void> {
    const report = await this.#options.api.exportConversation?.(file)
    if (report !== undefined) this.#options.note(report)
  }

  async #rename(title: string): Promise<void> {
    const kept = await this.#options.api.rename?.(title)
    if (kept !== undefined) this.#options.note(`title: ${kept}`)
  }

  #undo(wanted: { readonly redo: boolean; readonly force: boolean }): Promise<void> {
    const { api } = this.#options
    return this.#options.tasks.run({
      doing: wanted.redo ? 'redoing' : 'undoing',
      stoppedNote: `stopped: nothing was ${wanted.redo ? 'redone' : 'undone'}`,
      work: async (signal) => {
        await this.#options.shown().ended()
        return api.undo?.({ ...wanted, signal })
      },
    })
  }

  /** Lists the other conversations of this folder, or of others, to choose one. */
  async #chooseSession(): Promise<void> {
    const { api, clock, note } = this.#options
    const here = api.sessions?.bind(api)
    if (here === undefined) return
    const { sessionId } = this.#options.shown()
    const { picking } = this.#options
    const previews = new SessionPreviews(picking, api.sessionPreview)
    await openSessionLists({
      picking,
      here,
      elsewhere: api.sessionsElsewhere?.bind(api),
      now: clock.now(),
      except: sessionId,
      note,
      onFocused: (id) => previews.show(id),
      onLeft: () => previews.close(),
      none: 'there is no other conversation in this folder to continue',
      onChosen: (id) => this.#resume(id),
    })
  }

  #resume(text: string): Promise<void> {
    const { api } = this.#options
    const open = api.openConversation?.bind(api)
    const found = async () => (await api.findConversation?.(text)) ?? text
    return this.#options.changeOnceReady(open && (async () => open.bind(undefined, await found())))
  }

  async #fork(): Promise<void> {
    const { api } = this.#options
    await this.#options.changeOnceReady(api.fork?.bind(api))
    this.#options.note('a copy of the conversation, which continues from here')
  }

  async #showReport(asked: Promise<string> | undefined): Promise<void> {
    const report = await asked
    if (report !== undefined) this.#options.note(report)
  }

  #showServers(name: string | undefined): Promise<void> {
    const { api, tasks } = this.#options
    const work = async (signal: AbortSignal) => api.toolServers?.(name, signal)
    return tasks.run({
      doing: 'asking the MCP servers',
      stoppedNote: 'stopped waiting for the MCP servers',
      work,
    })
  }

  #runDoctor(): Promise<void> {
    const { api, tasks } = this.#options
    const work = async (signal: AbortSignal) => api.doctor?.(signal)
    return tasks.run({ doing: 'checking', stoppedNote: 'the checks were stopped', work })
  }

  async #askForKey(provider: string | undefined): Promise<void> {
    if (provider !== undefined) await this.#login?.check(provider)
    const stored = await this.#login?.ask(provider)
    if (stored === undefined) return
    this.#options.note(stored.note)
    await this.#models.reopen(stored.provider)
  }

  async #begin(): Promise<void> {
    const { api } = this.#options
    await this.#options.change(api.newConversation?.bind(api))
    this.#options.note('a new conversation')
  }
}
