import { onTestFinished } from 'vitest'
import type { Conversation, Position, Snapshot, Watched } from '../../../src/conversation.ts'
import type { Interaction } from '../../../src/interaction.ts'

/** Somebody who watches a conversation, and keeps all that was read. */
export interface Reader {
  /** Behind the first snapshot, unless it began after a position. */
  readonly read: readonly Watched[]
  /** The first snapshot. Throws if it began after a position. */
  readonly first: Snapshot
  readonly position: Position
  /** Reads up to the first new item of this type, or event of this type, and returns it. Throws if the watching ends before. */
  until(type: string): Promise<Watched>
  /** Reads up to the first new item that fits, and returns it. */
  untilFits(fits: (watched: Watched) => boolean): Promise<Watched>
  /** Returns the question that is asked now or next. */
  question(): Promise<Interaction>
  /** Reads to the end of the watching. */
  rest(): Promise<void>
}

/** Watches a conversation until the test ends. Has read the first snapshot when it resolves, if it begins with one. */
export async function reading(conversation: Conversation, after?: Position): Promise<Reader> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const watching = conversation.watch({ after, signal: stop.signal })
  const read: Watched[] = []
  let first: Snapshot | undefined
  let position = after ?? ''
  const next = async (): Promise<Watched | undefined> => {
    const { value } = await watching.next()
    // A server tells the settings of a snapshot as a line of their own, at its position.
    if (value?.type === 'settings' && value.position === position) return next()
    if (value !== undefined) position = value.position
    return value
  }
  if (after === undefined) {
    const value = await next()
    if (value?.type !== 'snapshot') throw new Error(`began with ${value?.type}`)
    first = value.snapshot
  }
  const untilFits = async (fits: (watched: Watched) => boolean) => {
    for (;;) {
      const value = await next()
      if (value === undefined) throw new Error(`the watching ended after ${read.map(nameOf).join(', ')}`)
      read.push(value)
      if (fits(value)) return value
    }
  }
  return {
    read,
    get first() {
      if (first === undefined) throw new Error('it began after a position')
      return first
    },
    get position() {
      return position
    },
    untilFits,
    until: (type) => untilFits((watched) => nameOf(watched) === type),
    question: async () => {
      const [asked] = first?.questions ?? []
      if (asked !== undefined) return asked
      const value = await untilFits((one) => questionOf(one) !== undefined)
      const question = questionOf(value)
      if (question === undefined) throw new Error('nothing is asked')
      return question
    },
    rest: async () => {
      for (let value = await next(); value !== undefined; value = await next()) read.push(value)
    },
  }
}

/** Returns the type of an item, and of an event its own. */
export function nameOf(watched: Watched): string {
  return watched.type === 'event' ? watched.event.type : watched.type
}

/** The facts among what was read, in a few words. */
export function factsOf(read: readonly Watched[]): readonly string[] {
  return read.flatMap((one) => {
    switch (one.type) {
      case 'queue':
        return [`queue ${one.queue.map(({ text, kind }) => `${kind} ${text}`).join(', ')}`.trim()]
      case 'settings':
        return [`settings ${one.settings.model} ${one.settings.mode}`]
      case 'ended':
        return [`ended ${one.ending.stopReason}${one.ending.error ? ` ${one.ending.error.code}` : ''}`]
      case 'asked':
        return [`asked ${one.question.display.title}`]
      case 'settled':
        return ['settled']
      default:
        return []
    }
  })
}

function questionOf(watched: Watched): Interaction | undefined {
  if (watched.type === 'asked') return watched.question
  return watched.type === 'event' && watched.event.type === 'interaction_requested'
    ? watched.event.interaction
    : undefined
}
