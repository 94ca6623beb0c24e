import { PipeError } from '../error.ts'
import { dotProduct } from './dot-product.ts'
import { Memory } from './webassembly.ts'

/** Bytes of a page, by which the memory of WebAssembly grows. */
const pageSize = 65_536
const bytesOf = Float32Array.BYTES_PER_ELEMENT

/** Numbers of Float32 in memory of WebAssembly, where they are multiplied twice as fast as JavaScript does it. */
export class VectorMemory {
  readonly #memory = new Memory({ initial: 1 })
  readonly #dot = dotProduct(this.#memory)
  #values = new Float32Array(this.#memory.buffer)

  /** All numbers, zeros at first. Valid until the next `reserve`. */
  get values(): Float32Array {
    return this.#values
  }

  /** Makes room for this many numbers. Throws `storage` above 4 GiB, or if the machine has less. */
  reserve(length: number): void {
    const missing = length - this.#values.length
    if (missing <= 0) return
    try {
      this.#memory.grow(Math.ceil((missing * bytesOf) / pageSize))
    } catch (error) {
      const size = Math.ceil((length * bytesOf) / 2 ** 30)
      throw new PipeError(
        'storage',
        `the vectors need ${size} GiB of memory, more than there is (4 GiB at most); memory.store can name a database`,
        { cause: error },
      )
    }
    this.#values = new Float32Array(this.#memory.buffer)
  }

  /** Multiplies the numbers from `a` on with those from `b` on, and returns the sum. Their count, `length`, is a multiple of 16. */
  dot(a: number, b: number, length: number): number {
    return this.#dot(a * bytesOf, b * bytesOf, length * bytesOf)
  }
}
