import type { Abilities, ConversationView } from '../conversation-view.ts'
import { modelName } from '../engine.ts'
import { unreachable } from '../error.ts'
import { listSlashCommands, type SlashCommand } from '../text/slash-command.ts'

/** The open conversation. Its abilities may replace it. */
export interface CurrentConversation {
  view(): ConversationView
  /** The signal stops the work of these abilities. */
  abilities(signal: AbortSignal): Required<Abilities>
}

/** Runs a slash command other than quit. Returns a report for the user. Throws `PipeError` if it fails. */
export async function obey(
  command: Exclude<SlashCommand, { readonly type: 'quit' }>,
  conversation: CurrentConversation,
  signal: AbortSignal,
): Promise<string> {
  const { engine, model, mode = 'default' } = conversation.view()
  const abilities = conversation.abilities(signal)
  switch (command.type) {
    case 'help':
      return listSlashCommands(abilities)
        .map(([usage, help]) => `${usage.padEnd(17)} ${help}`)
        .join('\n')
    case 'model': {
      if (command.name === undefined) return `model: ${model}`
      const choice = await abilities.chooseModel(command.name)
      engine.send({ type: 'set_model', choice })
      return `model: ${modelName(choice)}`
    }
    case 'mode': {
      if (command.mode === undefined) return `mode: ${mode}`
      const note = await abilities.setMode(command.mode)
      return [`mode: ${command.mode}`, ...(note === undefined ? [] : [note])].join('\n')
    }
    case 'compact':
      engine.send({ type: 'compact' })
      return 'the history is summarised before the next request'
    case 'undo':
      return abilities.undo({ ...command, signal })
    case 'recall':
      return abilities.recall(command.words, signal)
    case 'clear':
      await abilities.newConversation()
      return greeting(conversation)
    case 'resume':
      await abilities.openConversation(command.id)
      return greeting(conversation)
    default:
      return unreachable(command)
  }
}

/** Returns the opening lines of a conversation. */
export function greeting(conversation: CurrentConversation): string {
  const { model, warnings, notices = [] } = conversation.view()
  return [
    ...[...warnings, ...notices].map((warning) => `pipe: ${warning}`),
    `pipe ${model} · Ctrl+C stops, Ctrl+D leaves`,
  ].join('\n')
}
