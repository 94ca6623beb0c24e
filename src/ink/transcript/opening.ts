import type { ConversationView, FrontendApi } from '../../frontend/conversation-view.ts'
import { counted } from '../../frontend/words/amount.ts'
import { bypassNote } from '../../frontend/words/mode-words.ts'
import { contextTokensOf } from '../../history/context-use.ts'
import { printable } from '../../terminal/printable.ts'
import { cleanly } from '../clean.ts'
import type { ScreenEvent } from '../reduce/screen-event.ts'
import type { Entry } from '../state.ts'
import { modelStatus } from '../status.ts'
import { answersOf } from '../view/recent.ts'
import { isUnanswered, transcriptOf, unanswered } from './transcript.ts'

/** Messages of an earlier conversation that are shown when it is resumed. */
export const shownEarlier = 100

const untrustedNote = 'New folder: pipe will ask whether you trust it.'

/** The end of a note about what a project's trust holds back. */
const untrustedEnd = ': run pipe trust'

/** Creates the event that shows a conversation so far on a screen of `columns` columns. */
export function openingEvent(view: ConversationView, api: FrontendApi, columns: number): ScreenEvent {
  const { model, mode, agent, warnings, notices = [] } = view
  const { messages: history, usage, costUsd } = view.conversation
  const branch = api.branch()
  const environment = api.environment?.()
  const earlier = history.slice(-shownEarlier)
  const left = history.length - earlier.length
  // The question will list what these notes are about.
  const isAsked = api.trustQuestion?.() !== undefined
  const note = (level: 'info' | 'error', text: string): Entry => ({ type: 'note', level, text })
  const opened: ScreenEvent = {
    type: 'opened',
    entries: [
      { type: 'header', branch, ...environment },
      ...warnings
        .filter((text) => !isAsked || !text.endsWith(untrustedEnd))
        .map((text) => note('error', text)),
      ...notices.map((text) => note('info', text)),
      ...(mode === 'bypass' ? [note('info', bypassNote)] : []),
      ...(isAsked ? [note('info', untrustedNote)] : []),
      ...(left === 0 ? [] : [note('info', `… ${counted(left, 'earlier message')}`)]),
      ...transcriptOf(earlier, columns, api.look ?? (() => ({}))),
      // A server may be about to answer.
      ...(view.server === undefined && isUnanswered(history) ? [unanswered] : []),
    ],
    answers: answersOf(earlier),
    status: {
      ...modelStatus(model, api),
      mode,
      agent,
      usage,
      branch,
      contextTokens: contextTokensOf(history),
      costUsd,
      server: view.server,
      isEmptyFolder: environment?.isEmptyFolder,
    },
  }
  return cleanly(opened, printable)
}
