/** Bytes of an output that are kept. The rest is read and forgotten. */
const mostBytes = 64 * 1_024

/** The beginning of an output. */
export class KeptOutput {
  readonly #chunks: Uint8Array[] = []
  #bytes = 0

  add(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, Math.max(0, mostBytes - this.#bytes))
    if (kept.length > 0) this.#chunks.push(kept)
    this.#bytes += kept.length
  }

  get isFull(): boolean {
    return this.#bytes >= mostBytes
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}
