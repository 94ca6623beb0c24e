import type { Abilities, ConversationView } from '../conversation-view.ts'
import { printable } from '../terminal/printable.ts'
import { cleanly } from './clean.ts'
import type { ScreenEvent } from './screen-event.ts'
import type { Entry } from './state.ts'
import { modelStatus } from './status.ts'
import { contextTokensOf, transcriptOf } from './transcript.ts'

/** Messages of an earlier conversation that are shown when it is resumed. */
const shownEarlier = 100

const untrustedNote = 'New folder: pipe asks before it sends anything.'

/** Creates the event that shows a conversation so far on a screen of `columns` columns. */
export function openingOf(view: ConversationView, abilities: Abilities, columns: number): ScreenEvent {
  const { engine, model, mode, agent, warnings, notices = [] } = view
  const earlier = engine.history.slice(-shownEarlier)
  const left = engine.history.length - earlier.length
  const note = (level: 'info' | 'error', text: string): Entry => ({ type: 'note', level, text })
  const opened: ScreenEvent = {
    type: 'opened',
    entries: [
      { type: 'header', model },
      ...warnings.map((text) => note('error', text)),
      ...notices.map((text) => note('info', text)),
      ...(abilities.trustQuestion?.() === undefined ? [] : [note('info', untrustedNote)]),
      ...(left === 0 ? [] : [note('info', `… ${left} earlier messages`)]),
      ...transcriptOf(earlier, columns),
    ],
    status: {
      ...modelStatus(model, abilities),
      mode,
      agent,
      usage: engine.usage,
      branch: abilities.branch(),
      contextTokens: contextTokensOf(engine.history),
      costUsd: engine.costUsd,
    },
  }
  return cleanly(opened, printable)
}
