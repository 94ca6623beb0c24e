import { join } from 'node:path'
import { throwIfBug } from '../../../files/system-error.ts'
import type { Message } from '../../../message.ts'
import { OneByOne } from '../../../records/one-by-one.ts'
import type { TranscribedSession, TranscriptFile } from './transcript-file.ts'

export interface PeerTranscriptOptions extends TranscribedSession {
  /** Folder for files that are kept with the session. */
  readonly files: string
}

/** The session as a file in the format that hooks and status lines read. */
export class PeerTranscript {
  readonly #options: PeerTranscriptOptions
  readonly #writes = new OneByOne()
  #history: () => readonly Message[] = () => []
  #file: TranscriptFile | undefined

  constructor(options: PeerTranscriptOptions) {
    this.#options = options
  }

  /** Takes the messages of a conversation from now on. */
  follow(history: () => readonly Message[]): void {
    this.#history = history
  }

  /** Writes the messages that the file lacks. Returns its path; `undefined` if it cannot be written. */
  path(): Promise<string | undefined> {
    return this.#writes.run(async () => {
      const { files, id } = this.#options
      const path = join(files, `${id}.jsonl`)
      try {
        this.#file ??= new (await import('./transcript-file.ts')).TranscriptFile(path, this.#options)
        await this.#file.add(this.#history())
        return path
      } catch (error) {
        throwIfBug(error)
        return undefined
      }
    })
  }
}
