import { isPipeError } from '../../error.ts'
import type { ReadPreview, SessionPreview } from '../../frontend/session-preview.ts'
import { counted } from '../../frontend/words/amount.ts'
import type { Picking } from '../picker/picking.ts'

/** Reads the preview of each session that gets the focus, of one at a time. */
export class SessionPreviews {
  readonly #picking: Picking
  readonly #read: ReadPreview | undefined
  readonly #known = new Set<string>()
  #reading = new AbortController()

  constructor(picking: Picking, read: ReadPreview | undefined) {
    this.#picking = picking
    this.#read = read
  }

  /** Shows the preview of a session once it is read. A session that cannot be read keeps the preview it has. */
  async show(id: string): Promise<void> {
    this.close()
    if (this.#read === undefined || this.#known.has(id)) return
    const reading = new AbortController()
    this.#reading = reading
    try {
      const preview = await this.#read(id, reading.signal)
      if (reading.signal.aborted) return
      this.#known.add(id)
      this.#picking.describe(id, describe(preview, id))
    } catch (error) {
      if (!isPipeError(error)) throw error
    }
  }

  /** Stops reading. */
  close(): void {
    this.#reading.abort()
  }
}

function describe({ model, messages, asked, answered }: SessionPreview, id: string): string {
  return [
    [counted(messages, 'message'), model].filter(Boolean).join(' · '),
    asked === undefined ? '' : `› ${asked}`,
    answered ?? '',
    id,
  ]
    .filter(Boolean)
    .join('\n')
}
