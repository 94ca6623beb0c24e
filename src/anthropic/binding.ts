import { createHash } from 'node:crypto'
import { isJsonObject } from '../json-value.ts'
import type { ProviderData, ThinkingBlock } from '../message.ts'
import type { Request } from '../provider.ts'

/**
 * A hash of a request up to some place. Newer models accept a thought only from themselves and after the same prefix. If that
 * changed (a summary, other tools, another system prompt), the thought must be left out.
 */
export class ThoughtBinding {
  readonly #provider: string
  readonly #model: string
  readonly #sum = createHash('sha256')

  constructor({ model, systemPrompt, tools }: Request, provider: string) {
    this.#provider = provider
    this.#model = model
    this.add([
      systemPrompt,
      ...tools.map(({ name, description, parameters }) => [name, description, parameters]),
    ])
  }

  /** Adds the next part of the request. */
  add(part: unknown): void {
    this.#sum.update(`${JSON.stringify(part)}\n`)
  }

  /** Provider data for a thought at this place. */
  get data(): ProviderData {
    return { provider: this.#provider, data: { model: this.#model, prefix: this.#prefix } }
  }

  /** Whether a thought is valid at this place. A thought without this data, as in an old session, is. */
  holds({ providerData }: ThinkingBlock): boolean {
    const data = providerData?.data
    if (!isJsonObject(data)) return true
    return data['model'] === this.#model && data['prefix'] === this.#prefix
  }

  get #prefix(): string {
    return this.#sum.copy().digest('hex').slice(0, 32)
  }
}
