import { onTestFinished } from 'vitest'
import type { ElvesAtWork } from '../../src/elf.ts'
import type { Command, Engine, Turn } from '../../src/engine.ts'
import type { AgentEvent } from '../../src/event.ts'
import type { FrontendApi } from '../../src/frontend/conversation-view.ts'
import type { Clipboard } from '../../src/ink/clipboard-copy.ts'
import { Controller } from '../../src/ink/controller.ts'
import { Store } from '../../src/ink/store.ts'
import type { Key } from '../../src/ink/tty/key.ts'
import type { Message, UserMessage } from '../../src/message.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import { noUsage } from '../../src/usage.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { driven } from '../support/conversations/driven.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { emptyScreen, follow, type Unstamped } from './conversation.ts'

const windows: Readonly<Record<string, number>> = { 'test/small': 1_000, 'test/large': 100_000 }
const agentId = countingIds().agent()
/** The settings of a conversation in which nobody changes them. */
const stillSettings = {
  current: () => ({ model: 'test/small', mode: 'default' as const }),
  setModel: async (model: string) => model,
  setThinking: async () => undefined,
  setMode: async () => undefined,
}
const press = (name: string): Key => ({ type: 'press', name })

export interface Setup {
  /** Events of each turn, which costs $0.50. At `wait` the engine waits until the turn is stopped. */
  readonly events?: readonly (Unstamped | 'wait')[]
  /** Resolves when a turn has saved its files, which it does after its last event. */
  readonly saved?: Promise<void>
  readonly history?: readonly Message[]
  /** Replaces the scripted engine. */
  readonly engine?: Engine
  readonly api?: Partial<FrontendApi>
  readonly elves?: ElvesAtWork
  /** Resolves when all pending finished rows are drawn. */
  readonly drained?: () => Promise<void>
  readonly clipboard?: Clipboard
  readonly lend?: (use: () => Promise<void>) => Promise<void>
}

/** Opens a conversation with a scripted engine on a screen that is not drawn. */
export function openConversation({
  events = [],
  saved,
  history = [],
  api = {},
  elves,
  engine: given,
  drained,
  clipboard,
  lend,
}: Setup = {}) {
  const commands: Command[] = []
  const suspensions: string[] = []
  /** Steering messages, each of which comes too late for its turn. */
  const steering: UserMessage[] = []
  let late: UserMessage | undefined
  let costUsd = 0.5
  const engine: Engine = given ?? {
    id: agentId,
    state: 'idle',
    canResume: false,
    history,
    usage: noUsage,
    unsaved: undefined,
    get costUsd() {
      return costUsd
    },
    contextUse: () => ({
      model: 'test/small',
      tokens: 300,
      isCounted: true,
      parts: [],
      window: 1_000,
      limit: 500,
      autoCompact: true,
    }),
    submit: async function* (message, { signal }): AsyncGenerator<AgentEvent, Turn, undefined> {
      if (message !== undefined && !events.some((event) => event !== 'wait' && event.type === 'turn_start'))
        yield { type: 'turn_start', message, agentId, seq: 1 }
      for (const event of events) {
        if (event !== 'wait') yield { ...event, agentId, seq: 1 }
        else if (!signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      }
      await saved
      costUsd += 0.5
      late = steering.shift()
      const messages = message === undefined ? [] : [message]
      const stopReason = signal.aborted ? 'aborted' : 'end_turn'
      return { messages, usage: noUsage, rounds: 1, stopReason, ...omitUndefined({ late }) }
    },
    send: (command) => {
      commands.push(command)
      if (command.type === 'steer') steering.push(command.message)
    },
  }
  const clock = createHandClock()
  const newId = countingIds()
  const store = new Store(emptyScreen(), clock)
  const transcript = follow(store)
  const conversation = driven({ engine, close: async () => undefined }, { elves, settings: stillSettings })
  const controller = new Controller({
    store,
    clock,
    view: {
      conversation,
      agentId: engine.id,
      sessionId: undefined,
      model: 'test/small',
      mode: 'default',
      warnings: [],
    },
    api: {
      compose: (words) => ({ ...user(text(words)), id: newId.message() }),
      complaint: () => undefined,
      branch: () => 'main',
      contextWindow: (model) => windows[model],
      contextUse: () => engine.contextUse(),
      readMode: (word) => (word === 'acceptEdits' ? 'accept-edits' : undefined),
      ...api,
    },
    suspend: async () => void suspensions.push(store.screen.prompt.text),
    ...omitUndefined({ drained, clipboard, lend }),
  })
  onTestFinished(async () => {
    await controller.close()
    await conversation.close()
    store.close()
  })
  const type = (words: string) => {
    controller.key({ type: 'text', text: words })
    controller.key(press('enter'))
  }
  const notes = () => {
    store.show()
    return transcript.flatMap((entry) => (entry.type === 'note' ? [entry.text] : []))
  }
  return { controller, store, engine, transcript, clock, commands, suspensions, type, notes }
}
