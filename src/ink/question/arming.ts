import type { Key } from '../tty/key.ts'

/** Whether keys answer a question. Times are of the monotonic clock. */
export type Arming =
  /** Not drawn yet: keys edit the prompt. */
  | { readonly type: 'unseen' }
  /** Drawn while nobody was typing: keys answer from `opensAt` on. `early` is an answer pressed before that. */
  | { readonly type: 'settling'; readonly opensAt: number; readonly early?: Key }
  /** Drawn while the user was typing: keys edit the draft until the arming key is pressed. */
  | { readonly type: 'unarmed' }
  | { readonly type: 'armed' }

/** The key that arms a question. It does not occur in typed prose. */
export const armingKey = 'tab'

/** Time that a question must be on the screen before a key counts as its answer. */
const readingMs = 500

/** Time without a key after which the user has stopped typing. A key that is held down repeats sooner. */
const quietMs = 1_000

/** The typing activity when a question was first drawn. */
export interface Typing {
  readonly hasDraft: boolean
  /** Time of the last edit of the draft; absent if the draft was sent or cleared since. */
  readonly typedAt: number | undefined
  /** Time of the last key press. */
  readonly pressedAt: number | undefined
}

export const unseen: Arming = { type: 'unseen' }
export const unarmed: Arming = { type: 'unarmed' }
export const armed: Arming = { type: 'armed' }

/** Returns the state of a question that is first drawn at `at`. */
export function armingWhenShown(at: number, { hasDraft, typedAt, pressedAt }: Typing): Arming {
  if (hasDraft || (typedAt !== undefined && at - typedAt < quietMs)) return unarmed
  const quietAt = pressedAt === undefined ? at : pressedAt + quietMs
  return { type: 'settling', opensAt: Math.max(at + readingMs, quietAt) }
}

/** Whether keys answer the question now. */
export function isArmed(arming: Arming, now: number): boolean {
  return arming.type === 'armed' || (arming.type === 'settling' && now >= arming.opensAt)
}

/** Returns the state after an answer that came too soon. The answer is ignored, and keys must rest before one counts. */
export function armingAfterEarly(now: number, early: Key): Arming {
  return { type: 'settling', opensAt: now + quietMs, early }
}

/** Returns the text of an answer that came too soon. It becomes part of the draft if more text follows it. */
export function earlyText(arming: Arming): string {
  return arming.type === 'settling' && arming.early?.type === 'text' ? arming.early.text : ''
}
