import { closeSync, fstatSync, ftruncateSync, openSync, type Stats, statSync, writeSync } from 'node:fs'
import { PipeError } from '../../../error.ts'
import { onFile } from '../../../files/system-error.ts'
import type { InputRecord, RecordFormat } from '../../../records/input-record.ts'

/** Takes the records that failed, as they came in, so that they can be fed again. */
export class FailedFile {
  readonly #path: string
  readonly #separator: Uint8Array
  readonly #file: number
  #isBegun = false
  #hasHeader = false

  /** Opens the file, and leaves it as it is. `journal`: the file of results. Throws `input` if it is the input or that file, and what the system says. */
  constructor(path: string, format: RecordFormat, journal: string | undefined) {
    this.#path = path
    this.#separator = Buffer.from(format === 'nul' ? '\0' : '\n')
    this.#file = onFile(this.#path, 'open', () => openSync(path, 'a', 0o600))
    try {
      this.#requireOwn(journal)
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  /** Empties the file once: a run that could not start must not take away what an earlier one left. Throws what the system says. */
  begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    if (fstatSync(this.#file).isFile()) onFile(this.#path, 'write', () => ftruncateSync(this.#file, 0))
  }

  /** `header`: the row before all records, if there is one. Returns false for a record that is not here as a whole. Throws what the system says. */
  add({ raw, isCut }: InputRecord, header: Uint8Array | undefined): boolean {
    if (isCut === true) return false
    this.begin()
    if (!this.#hasHeader && header !== undefined) this.#write(header)
    this.#hasHeader = true
    this.#write(raw)
    return true
  }

  close(): void {
    closeSync(this.#file)
  }

  #requireOwn(journal: string | undefined): void {
    const own = fstatSync(this.#file)
    const isSame = ({ ino, dev }: Stats) => own.isFile() && ino === own.ino && dev === own.dev
    const other = isSame(fstatSync(0))
      ? 'the input itself'
      : journal !== undefined && isSame(statSync(journal))
        ? 'the file of --resume-map'
        : undefined
    if (other !== undefined)
      throw new PipeError('input', `--failed ${this.#path} is ${other}; name another file`)
  }

  #write(bytes: Uint8Array): void {
    const line = Buffer.concat([bytes, this.#separator])
    onFile(this.#path, 'write', () => {
      for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at)
    })
  }
}
