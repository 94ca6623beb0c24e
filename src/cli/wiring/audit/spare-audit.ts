import type { AuditEntry, AuditLog } from '../../../audit.ts'
import { isPipeError, type PipeError } from '../../../error.ts'

/** Discards every entry. */
export const noAudit: AuditLog = {
  unsaved: undefined,
  head: undefined,
  append: () => undefined,
  settle: () => undefined,
  sync: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/**
 * Makes an audit log optional: calls `warn` and records nothing if its first entries cannot be written. Throws later failures, so that
 * filling the disk cannot end a log midway.
 */
export function spareAudit(log: AuditLog, warn: (reason: string) => void): AuditLog {
  return new SpareAudit(log, warn)
}

class SpareAudit implements AuditLog {
  readonly #log: AuditLog
  readonly #warn: (reason: string) => void
  #state: 'unused' | 'appended' | 'written' | 'given_up' = 'unused'

  constructor(log: AuditLog, warn: (reason: string) => void) {
    this.#log = log
    this.#warn = warn
  }

  get unsaved(): PipeError | undefined {
    return this.#state === 'written' ? this.#log.unsaved : undefined
  }

  get head(): string | undefined {
    return this.#log.head
  }

  append(entry: AuditEntry): void {
    if (this.#state === 'given_up') return
    if (this.#state === 'unused') this.#state = 'appended'
    this.#log.append(entry)
  }

  settle(): void {
    if (this.#state === 'given_up') return
    try {
      this.#log.settle()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  async sync(): Promise<void> {
    if (this.#state !== 'given_up') await this.#attempt(() => this.#log.sync())
  }

  close(): Promise<void> {
    return this.#attempt(() => this.#log.close())
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      if (this.#state === 'appended' && this.#log.unsaved === undefined) this.#state = 'written'
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #giveUp(error: unknown): void {
    if (this.#state === 'written' || !isPipeError(error)) throw error
    if (this.#state !== 'given_up') this.#warn(error.message)
    this.#state = 'given_up'
  }
}
