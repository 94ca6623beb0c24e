import { onTestFinished } from 'vitest'
import type { Conversation, SentAs, Snapshot, Watched } from '../../src/conversation.ts'
import { Controller } from '../../src/ink/controller.ts'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import { Store } from '../../src/ink/store.ts'
import type { Key } from '../../src/ink/tty/key.ts'
import { noUsage } from '../../src/usage.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { emptyScreen, follow, type Unstamped } from './conversation.ts'
import { plain } from './screen-text.ts'

const own = countingIds().agent()

export const idle: Snapshot = {
  state: 'idle',
  isSettled: true,
  messages: [],
  usage: noUsage,
  reply: [],
  calls: [],
  questions: [],
  queue: [],
  settings: { model: 'test/small', mode: 'default' },
}

/** News without their position, which nothing here reads. */
export type News = Unplaced<Watched>
type Unplaced<One> = One extends unknown ? Omit<One, 'position'> : never

/** Opens a conversation that a server runs on a screen that is not drawn. A test tells its news and decides its answers. */
export function openFollowed(snapshot: Snapshot = idle) {
  const newId = countingIds()
  const asked: string[] = []
  let news: News[] = []
  let wake = deferred()
  let refusal: Error | undefined
  let goneFor: Error | undefined
  let said: SentAs = 'started'
  const wants = async (what: string) => {
    asked.push(what)
    if (refusal !== undefined) throw refusal
  }
  const conversation: Conversation = {
    sessionId: newId.session(),
    messages: snapshot.messages,
    usage: snapshot.usage,
    costUsd: undefined,
    settings: snapshot.settings,
    async *watch({ signal = new AbortController().signal } = {}) {
      signal.addEventListener('abort', () => wake.resolve())
      yield { type: 'snapshot', position: '', snapshot }
      while (!signal.aborted) {
        if (goneFor !== undefined) throw goneFor
        const told = news
        news = []
        for (const one of told) yield { ...one, position: '' } as Watched
        if (news.length === 0) await wake.promise
        wake = deferred()
      }
      return undefined
    },
    send: async (message, when) => {
      const words = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      await wants(`say ${when === 'later' ? 'after' : when}: ${words}`)
      return said
    },
    takeBack: (id) => wants(`take back ${id}`),
    respond: ({ selectedOptionId, cancelled }) =>
      wants(`respond ${cancelled === true ? 'nothing' : selectedOptionId}`),
    goOn: () => wants('go on'),
    interrupt: () => wants('interrupt'),
    compact: async (keep) => {
      await wants(`compact ${keep}`)
      return 'compacted'
    },
    setModel: async (model) => model,
    setThinking: (level) => wants(`think ${level}`),
    setMode: async () => undefined,
    goTo: async () => ({}),
    stopElf: async () => false,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const clock = createHandClock()
  const store = new Store(emptyScreen({ columns: 70, rows: 24 }), clock)
  const transcript = follow(store)
  const controller = new Controller({
    store,
    clock,
    view: {
      conversation,
      sessionId: conversation.sessionId,
      model: 'test/small',
      mode: 'default',
      server: 'den:8800',
      warnings: [],
    },
    api: {
      compose: (words) => ({ ...user(text(words)), id: newId.message() }),
      complaint: ({ error }) => error,
      branch: () => undefined,
      readMode: () => undefined,
      setMode: async (mode) => {
        await wants(`mode ${mode}`)
        return undefined
      },
    },
    suspend: async () => undefined,
  })
  let failed: unknown
  controller.done.catch((error: unknown) => {
    failed = error
  })
  controller.start()
  onTestFinished(async () => {
    await controller.close()
    store.close()
  })
  const tell = (...told: readonly News[]) => {
    news.push(...told)
    wake.resolve()
  }
  const press = (name: string) => controller.key({ type: 'press', name } satisfies Key)
  return {
    controller,
    store,
    clock,
    asked,
    tell,
    press,
    happen: (...events: readonly Unstamped[]) =>
      tell(
        ...events.map(
          (event) => ({ type: 'event', event: { ...event, agentId: own, seq: 1 }, isOwn: true }) as const,
        ),
      ),
    write: (words: string) => controller.key({ type: 'text', text: words }),
    /** Makes the server refuse what is asked from now on. */
    refuse: (error: Error | undefined) => {
      refusal = error
    },
    answer: (as: SentAs) => {
      said = as
    },
    goAway: (error: Error) => {
      goneFor = error
      wake.resolve()
    },
    failed: () => failed,
    live: () => plain(drawLive(store.screen)).join('\n'),
    shown: () => {
      store.show()
      return transcript.flatMap((entry) => {
        if (entry.type === 'user') return [`› ${entry.text}`]
        if (entry.type === 'block') return [entry.block.text]
        if (entry.type === 'note') return [`(${entry.text})`]
        if (entry.type === 'end') return [`(${entry.outcome})`]
        return entry.type === 'tool'
          ? [`${entry.name}${entry.isInterrupted === true ? ' interrupted' : ''}`]
          : []
      })
    },
  }
}
