/** The beginning of an output. The rest is read and forgotten. */
export class KeptOutput {
  readonly #mostBytes: number
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  #isCut = false

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#mostBytes - this.#bytes)
    if (kept.length > 0) this.#chunks.push(kept)
    this.#bytes += kept.length
    this.#isCut ||= kept.length < chunk.length
  }

  /** Whether there was more than is kept. */
  get isCut(): boolean {
    return this.#isCut
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}

/** Bytes of a hook's answer: what Node's `exec` takes of an output by default. New arguments of a call may hold a whole file. */
export const mostOfAnswer = 1_024 * 1_024

/** Bytes of its complaints, which are read as text only. */
export const mostOfComplaint = 64 * 1_024
