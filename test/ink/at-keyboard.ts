import type { AgentEvent } from '../../src/event.ts'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import type { Key } from '../../src/ink/tty/key.ts'
import type { Interaction } from '../../src/interaction.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import type { Unstamped } from './conversation.ts'
import { plain } from './screen-text.ts'
import { openConversation } from './scripted-conversation.ts'

const agentId = countingIds().agent()
const turnStart: Unstamped = { type: 'turn_start', message: user(text('go')) }

/**
 * Simulates the user at the keyboard during a turn that waits, with vim keys if told so. `type` reads characters, and `<name>` for a key
 * press.
 */
export function sit({ isVim = false } = {}) {
  const sent: string[] = []
  const newId = countingIds()
  const compose = (words: string) => {
    sent.push(words)
    return { ...user(text(words)), id: newId.message() }
  }
  const { controller, store, clock, commands } = openConversation({ events: ['wait'], api: { compose } })
  const dispatch = (event: Unstamped) =>
    store.dispatch({ type: 'agent', event: { ...event, agentId, seq: 1 } satisfies AgentEvent, at: 0 })
  if (isVim) store.dispatch({ type: 'editor', isVim })
  store.dispatch({ type: 'begun', at: 0 })
  dispatch(turnStart)
  store.show()
  clock.advance(10_000)
  /** Presses a key, and waits until the screen shows what it did. */
  const press = (key: Key) => {
    controller.key(key)
    store.show()
  }
  return {
    ask: (...interactions: readonly Interaction[]) => {
      for (const interaction of interactions) dispatch({ type: 'interaction_requested', interaction })
      clock.advance(80)
      store.show()
    },
    type: (script: string) => {
      for (const part of script.match(/<[^>]+>|[^<]/g) ?? []) {
        const key: Key = part.startsWith('<')
          ? { type: 'press', name: part.slice(1, -1) }
          : { type: 'text', text: part }
        press(key)
      }
    },
    key: press,
    paste: (words: string) => press({ type: 'paste', text: words }),
    wait: (ms: number) => {
      clock.advance(ms)
      store.show()
    },
    rows: () => plain(drawLive(store.shown().screen)),
    /** The text of the rule below the question. */
    foot: () =>
      plain(drawLive(store.shown().screen))
        .findLast((row) => row.startsWith('━━'))
        ?.replace(/^━+ | ━*$/g, ''),
    draft: () => store.screen.prompt.text,
    queued: () => sent,
    answers: () =>
      commands.flatMap((command) =>
        command.type === 'respond'
          ? [command.response.selectedOptionId ?? command.response.inputValue ?? 'none']
          : [],
      ),
    isBusy: () => store.screen.busySince !== undefined,
  }
}
