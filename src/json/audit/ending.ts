import { isJsonObject, type JsonObject } from '../../json-value.ts'

/** A message with its own entry, or with one about the call it answers. */
export interface LastMessage {
  readonly id: string
  readonly callId?: string
}

/** Sees the lines of a log one by one and detects a missing end. */
export class Ending {
  readonly #last: LastMessage | undefined
  #isLastSeen: boolean
  #isTurnOpen = false

  constructor(last: LastMessage | undefined) {
    this.#last = last
    this.#isLastSeen = last === undefined
  }

  see({ decision, message, audit }: JsonObject): void {
    if (decision === 'user_message') this.#isTurnOpen = true
    if (decision === 'turn_ended') this.#isTurnOpen = false
    if (this.#isLastSeen) return
    const callId = isJsonObject(audit) ? audit['call_id'] : undefined
    const isAbout = isJsonObject(message) && message['id'] === this.#last?.id
    this.#isLastSeen = isAbout || (callId !== undefined && callId === this.#last?.callId)
  }

  /** The reason why lines are missing after the last; `undefined` if none seem missing. */
  get gap(): string | undefined {
    if (this.#isTurnOpen) return 'the last turn has no end: pipe was killed during it, or lines were cut off'
    if (this.#isLastSeen) return undefined
    return `the session continues to message ${this.#last?.id}: pipe was killed, or lines were cut off`
  }
}
