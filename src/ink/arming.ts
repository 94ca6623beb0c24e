import type { Key } from './keys.ts'

/** Whether keys answer a question. Times are of the monotonic clock. */
export type Arming =
  /** Not drawn yet: keys are those of the prompt. */
  | { readonly type: 'unseen' }
  /** Drawn, and nobody was typing: keys answer from `opensAt` on. `early` is an answer that came before. */
  | { readonly type: 'settling'; readonly opensAt: number; readonly early?: Key }
  /** The person was typing: keys edit the draft until the arming key is pressed. */
  | { readonly type: 'unarmed' }
  | { readonly type: 'armed' }

/** The key that arms a question. Nobody types it in prose. */
export const armingKey = 'tab'

/** Milliseconds a question must be on the screen before a key can be meant for it. */
const readingPause = 500

/** Milliseconds without a key after which nobody is typing any more. A key that is held down repeats sooner. */
const quietPause = 1_000

/** How the person was typing when a question was first drawn. */
export interface Typing {
  readonly hasDraft: boolean
  /** When the draft was last edited; absent where that was sent or cleared since. */
  readonly typedAt: number | undefined
  /** When any key was last pressed. */
  readonly pressedAt: number | undefined
}

export const unseen: Arming = { type: 'unseen' }
export const unarmed: Arming = { type: 'unarmed' }
export const armed: Arming = { type: 'armed' }

/** The state of a question that is first drawn at this time. */
export function armingWhenShown(at: number, { hasDraft, typedAt, pressedAt }: Typing): Arming {
  if (hasDraft || (typedAt !== undefined && at - typedAt < quietPause)) return unarmed
  const quietAt = pressedAt === undefined ? at : pressedAt + quietPause
  return { type: 'settling', opensAt: Math.max(at + readingPause, quietAt) }
}

/** Whether keys answer the question now. */
export function isArmed(arming: Arming, now: number): boolean {
  return arming.type === 'armed' || (arming.type === 'settling' && now >= arming.opensAt)
}

/** The state after an answer that came too soon: it counts for nothing, and nothing answers until the keys rest. */
export function armingAfterEarly(now: number, early: Key): Arming {
  return { type: 'settling', opensAt: now + quietPause, early }
}

/** The text of an answer that came too soon. It belongs to the draft where more text follows it. */
export function earlyText(arming: Arming): string {
  return arming.type === 'settling' && arming.early?.type === 'text' ? arming.early.text : ''
}
