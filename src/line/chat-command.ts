import type { LocalConversation } from '../conversation.ts'
import { PipeError, unreachable } from '../error.ts'
import type { BackgroundCommands } from '../frontend/background-commands.ts'
import type { ConversationView, FrontendApi, TreeMessage } from '../frontend/conversation-view.ts'
import { contextReport } from '../frontend/reports/context-report.ts'
import { costReport, spentByModel } from '../frontend/reports/cost-report.ts'
import { settingsReport } from '../frontend/reports/settings-report.ts'
import type { SlashCommand } from '../frontend/slash/parsed-slash-command.ts'
import { listSlashCommands } from '../frontend/slash/slash-command.ts'
import type { TaskActions } from '../frontend/task-actions.ts'
import { byNeed } from '../frontend/task-order.ts'
import { bypassNote, modeWords } from '../frontend/words/mode-words.ts'
import { tableText } from '../frontend/words/text-table.ts'
import { isOver } from '../task.ts'
import { recentSessions, type SessionList } from './session-list.ts'

/** FrontendApi that need a screen, or that only one has. */
type ScreenAbility =
  | 'look'
  | 'sessionsElsewhere'
  | 'findConversation'
  | 'stopElf'
  | 'title'
  | 'files'
  | 'serverPrompts'
  | 'knowsNoPrompts'
  | 'agents'
  | 'takesSessions'
  | 'openOutput'
  | 'page'
  | 'models'
  | 'usualModels'
  | 'saveTheme'
  | 'image'
  | 'clipboardImage'
  | 'keepImage'
  | 'objection'
  | 'editText'
  | 'pastPrompts'
  | 'runShell'
  | 'keys'
  | 'sessionPreview'
  | 'hookWork'
  | 'statusLine'

export type ChatApi = Required<Omit<FrontendApi, ScreenAbility>>

/** The open conversation. Its api may replace it. */
export interface CurrentConversation {
  view(): ConversationView & { readonly conversation: LocalConversation }
  /** The signal stops the work of these api. */
  api(signal: AbortSignal): ChatApi
}

/** The open conversation, its terminal, and the lists shown there. */
export interface ChatContext {
  readonly conversation: CurrentConversation
  readonly lists: NumberedLists
  /** Returns the width of the terminal. */
  readonly columns: () => number
}

/** A command that changes or shows the open conversation. */
export type ChatCommand = Exclude<SlashCommand, { readonly type: 'quit' | 'rewind' | 'tree' | 'prompt' }>

/** Runs a slash command. Returns a report for the user. Throws `PipeError` if it fails. */
export async function runCommand(
  command: ChatCommand,
  { conversation, lists, columns }: ChatContext,
  signal: AbortSignal,
): Promise<string> {
  const { conversation: open, sessionId, model, mode = 'default' } = conversation.view()
  const api = conversation.api(signal)
  switch (command.type) {
    case 'help':
      return tableText(listSlashCommands(api))
    case 'model': {
      if (command.name === undefined) return `model: ${model}`
      return `model: ${await api.chooseModel(command.name)}`
    }
    case 'thinking': {
      const { thinking } = api
      if (command.level !== undefined) await thinking.set(command.level)
      return `thinking: ${thinking.level() ?? 'as the model does by itself'}`
    }
    case 'mode': {
      if (command.mode === undefined) return `mode: ${modeWords[mode].short}`
      const note = await api.setMode(command.mode)
      const notes = [note, command.mode === 'bypass' ? bypassNote : undefined]
      const set = `mode: ${modeWords[command.mode].short}`
      return [set, ...notes.filter((one) => one !== undefined)].join('\n')
    }
    case 'compact':
      return (await open.compact(command.keep, 'later')) ?? 'the history is summarised'
    case 'context':
      return contextReport(api.contextUse(), columns())
    case 'cost':
      return costReport({ models: spentByModel(open.messages), elves: [], own: open })
    case 'diff':
      return (await api.changes({ ...command, signal })) ?? 'no turn has changed files'
    case 'undo':
      return api.undo({ ...command, signal })
    case 'recall':
      return api.recall(command.words, signal)
    case 'remember':
      return api.remember(command.text, command.scope)
    case 'clear':
      await api.newConversation()
      forgetMessages(lists)
      return greeting(conversation)
    case 'resume':
      if (command.id === undefined) {
        lists.sessions = await recentSessions(api.sessions(), sessionId)
        return `${lists.sessions.text}\n/resume N continues one of them`
      }
      await api.openConversation(lists.sessions?.ids[Number(command.id) - 1] ?? command.id)
      forgetMessages(lists)
      return greeting(conversation)
    case 'fork':
      await (await api.fork())()
      forgetMessages(lists)
      return greeting(conversation)
    case 'permissions':
      return api.permissions()
    case 'mcp':
      return api.toolServers(command.name, signal)
    case 'hooks':
      return api.hooks()
    case 'skills':
      return api.skillReport()
    case 'agents':
      return api.agentReport()
    case 'status':
      return api.statusReport()
    case 'config':
      if (command.key === undefined || command.value === undefined)
        return settingsReport(await api.settings.list(), command.key)
      return api.settings.set(command.key, command.value)
    case 'doctor':
      return api.doctor(signal)
    case 'processes':
      return listBackground(api.background)
    case 'rename':
      return `title: ${await api.rename(command.title)}`
    case 'export':
      return api.exportConversation(command.file)
    case 'copy':
    case 'elves':
    case 'theme':
    case 'vim':
    case 'login':
      throw new PipeError('usage', `/${command.type} needs a terminal that draws a screen`)
    case 'tasks':
      return listTasks(api.tasks, signal)
    case 'task': {
      const { taskId, title } = await api.tasks.add(command.text, signal)
      return `task ${taskId} is on the board: ${title}`
    }
    default:
      return unreachable(command)
  }
}

function listBackground(desk: BackgroundCommands): string {
  const rows = desk
    .list()
    .map(({ id, command, ending = 'running', lastLine = '' }) => [
      ...[id, ending, command.replace(/\s+/g, ' '), lastLine],
    ])
  return rows.length === 0 ? 'no command is running in the background' : tableText(rows)
}

/** Lists the tasks that are not over. */
async function listTasks(desk: TaskActions, signal: AbortSignal): Promise<string> {
  const left = new AbortController()
  for await (const tasks of desk.follow(AbortSignal.any([signal, left.signal]))) {
    left.abort()
    const rows = byNeed(tasks.filter((task) => !isOver(task)))
    if (rows.length === 0) return 'no task is open; /task TEXT puts one on the board'
    return `${tableText(rows.map(({ taskId, status, title }) => [taskId, status, title]))}\npipe task answer ID answers one that waits`
  }
  return ''
}

/** Forgets lists of messages, which are of the conversation before. */
function forgetMessages(lists: NumberedLists): void {
  delete lists.rewind
  delete lists.tree
}

/** Returns the opening lines of a conversation. */
export function greeting(conversation: CurrentConversation): string {
  const { model, mode, agent, warnings, notices = [] } = conversation.view()
  const notes = [...warnings, ...notices, ...(mode === 'bypass' ? [bypassNote] : [])]
  return [
    ...notes.map((warning) => `pipe: ${warning}`),
    `pipe ${model}${agent === undefined ? '' : ` · agent ${agent}`} · Ctrl+C stops, Ctrl+D leaves`,
  ].join('\n')
}

/** The lists that the user was shown last. A number in a command means a row of them. */
interface NumberedLists {
  sessions?: SessionList
  /** The messages that `/rewind` and `/tree` listed. */
  rewind?: readonly TreeMessage[]
  tree?: readonly TreeMessage[]
}
