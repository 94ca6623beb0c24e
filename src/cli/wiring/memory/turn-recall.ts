import type { Recall, SavedTurn, SearchableMessage } from '../../../memory/recall.ts'
import { logOver, type NewSession, type SessionLog, type SessionStore } from '../../../session.ts'

/** Adds what each turn saves to the index of recall. */
export interface TurnRecall {
  /** Wraps a store to note the messages that are saved. */
  noting(store: SessionStore): SessionStore
  /** Adds the messages saved since the last call. The session's file must not change meanwhile. */
  add(): Promise<void>
}

/** `open` is called for the first turn that saved something. */
export function createTurnRecall(open: () => Promise<Recall>): TurnRecall {
  let saved: Noted | undefined
  const note = (log: SessionLog, session: NewSession, from: number): SessionLog => {
    // The result of an elf is in the session of its parent, which a search finds instead.
    if (session.parent !== undefined) return log
    const { id, cwd, createdAt } = session
    const noted: Noted = { id, createdAt, cwd, from, messages: [] }
    saved = noted
    return notingLog(log, noted)
  }
  return {
    noting: (store) => ({
      create: async (session, options) => note(await store.create(session, options), session, 0),
      open: async (id, options) => {
        const { log, loaded } = await store.open(id, options)
        return { log: note(log, loaded.session, loaded.session.messages.length), loaded }
      },
      load: (id, options) => store.load(id, options),
      find: (beginning, options) => store.find(beginning, options),
      list: (options) => store.list(options),
    }),
    add: async () => {
      if (saved === undefined || saved.messages.length === 0) return
      const turn: SavedTurn = { ...saved, messages: saved.messages }
      saved.from += saved.messages.length
      saved.messages = []
      const recall = await open()
      recall.add(turn)
    },
  }
}

interface Noted extends Omit<SavedTurn, 'from' | 'messages'> {
  /** Counts the messages of the file before these. */
  from: number
  messages: SearchableMessage[]
}

function notingLog(log: SessionLog, noted: Noted): SessionLog {
  return logOver(log, {
    append: async (message, state) => {
      await log.append(message, state)
      noted.messages.push(message)
    },
  })
}
