import type { Output } from '../../terminal/output.ts'
import { printableJson } from '../../terminal/printable-json.ts'

/** Streams `{"name": [...]}` with one row per line: valid JSON that line tools can also search. */
export class JsonList {
  readonly #stdout: Output
  readonly #name: string
  #isEmpty = true

  constructor(stdout: Output, name: string) {
    this.#stdout = stdout
    this.#name = JSON.stringify(name)
  }

  add(row: object): void {
    this.#stdout.write((this.#isEmpty ? `{${this.#name}: [\n` : ',\n') + printableJson(row))
    this.#isEmpty = false
  }

  end(): void {
    this.#stdout.write(this.#isEmpty ? `{${this.#name}: []}\n` : '\n]}\n')
  }
}
