import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'
import type { InputRecord, RecordFormat } from '../../../records/input-record.ts'

/** Takes the records that failed, as they came in, so that they can be fed again. */
export class FailedFile {
  readonly #path: string
  readonly #separator: Uint8Array
  readonly #file: number
  #isBegun = false

  /** Empties the file. Throws `input` if records are read from it, and what the system says. */
  constructor(path: string, format: RecordFormat) {
    this.#path = path
    this.#separator = Buffer.from(format === 'nul' ? '\0' : '\n')
    this.#file = this.#do('open', () => openSync(path, 'a', 0o600))
    const [own, input] = [fstatSync(this.#file), fstatSync(0)]
    if (own.isFile() && own.ino === input.ino && own.dev === input.dev) {
      closeSync(this.#file)
      throw new PipeError('input', `--failed ${path} is the input itself; name another file`)
    }
    if (own.isFile()) this.#do('write', () => ftruncateSync(this.#file, 0))
  }

  /** `header`: the row before all records, if there is one. Throws what the system says. */
  add({ raw }: InputRecord, header: Uint8Array | undefined): void {
    if (!this.#isBegun && header !== undefined) this.#write(header)
    this.#isBegun = true
    this.#write(raw)
  }

  close(): void {
    closeSync(this.#file)
  }

  #write(bytes: Uint8Array): void {
    const line = Buffer.concat([bytes, this.#separator])
    this.#do('write', () => {
      for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at)
    })
  }

  #do<T>(doing: string, act: () => T): T {
    try {
      return act()
    } catch (error) {
      throw fileError(error, this.#path, doing)
    }
  }
}
