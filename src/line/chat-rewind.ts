import type { GoToOptions } from '../conversation.ts'
import { PipeError } from '../error.ts'
import type { TreeMessage } from '../frontend/conversation-view.ts'
import type { SlashCommand } from '../frontend/slash/parsed-slash-command.ts'
import { tableText } from '../frontend/words/text-table.ts'
import { arrivalNote, isRewindable, treeMessageLine } from '../frontend/words/tree-message-line.ts'
import { printable } from '../terminal/printable.ts'
import type { Chat } from './chat-turn.ts'

type RewindCommand = Extract<SlashCommand, { readonly type: 'rewind' | 'tree' }>

/** Words behind the number. Default: the conversation. */
const ways: ReadonlyMap<string, Omit<GoToOptions, 'signal'>> = new Map([
  ['conversation', { what: 'conversation' }],
  ['both', { what: 'both' }],
  ['files', { what: 'files' }],
  ['summary', { what: 'conversation', isSummarised: true }],
])

const usages = {
  rewind:
    '/rewind N goes back to before message N; "both" after N restores the files too, "files" only them; "summary" carries over a summary',
  tree: '/tree N goes to message N; "summary" after N carries over a summary of the branch that is left',
} as const

/** Lists messages with numbers, or goes to one of them. Returns a report for the user. Throws `PipeError` if it fails. */
export async function goBack(
  { type, argument }: RewindCommand,
  chat: Chat,
  signal: AbortSignal,
): Promise<string> {
  const { conversation, lists, typed } = chat
  const api = conversation.api(signal)
  if (argument === undefined) {
    const all = await api.messageTree()
    const places = type === 'tree' ? all : all.filter(isRewindable)
    lists[type] = places
    return places.length === 0
      ? 'the conversation has no message yet'
      : `${listMessages(type, places)}\n${usages[type]}`
  }
  const [number = '', word = 'conversation', ...more] = argument.split(/\s+/)
  const place = lists[type]?.[Number(number) - 1]
  const way = ways.get(word)
  if (place === undefined) throw new PipeError('usage', `no message ${number}: /${type} lists them`)
  const isOffered = type === 'rewind' || way?.what === 'conversation'
  if (way === undefined || !isOffered || more.length > 0) throw new PipeError('usage', usages[type])
  const { view, text, report } = await api.goTo(place.messageId, { ...way, signal })
  // A line break would send it, and a control character would act as a key.
  if (text !== undefined) typed.offer(printable(text).replace(/\s+/g, ' '))
  const went = view === undefined ? [] : [arrivalNote(place)]
  return [...(report === undefined ? [] : [report]), ...went].join('\n')
}

/** Marks a message since which files changed that can be restored. */
function filesOf({ turns = 0 }: TreeMessage): string {
  return turns === 0 ? '' : 'files'
}

function listMessages(type: RewindCommand['type'], places: readonly TreeMessage[]): string {
  return tableText(
    places.map((place, i) => [
      String(i + 1).padStart(3),
      ...(type === 'tree' ? [treeMessageLine(place)] : [filesOf(place), place.text]),
    ]),
  )
}
