import { createHash } from 'node:crypto'
import { isJsonObject } from '../json-value.ts'
import type { ProviderData, ThinkingBlock } from '../message.ts'
import type { Request } from '../provider.ts'

/**
 * All that a request holds up to some place, as one sum. Newer models take a thought back only from themselves, and after the very
 * words that it came after: whatever changed these (a summary, other tools, another system prompt) it has to be left out.
 */
export class Binding {
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

  /** What follows next in the request. */
  add(part: unknown): void {
    this.#sum.update(`${JSON.stringify(part)}\n`)
  }

  /** For a thought that comes now. */
  get data(): ProviderData {
    return { provider: this.#provider, data: { model: this.#model, prefix: this.#prefix } }
  }

  /** Whether a thought may stand here. Those of sessions that never noted it may. */
  holds({ providerData }: ThinkingBlock): boolean {
    const data = providerData?.data
    if (!isJsonObject(data)) return true
    return data['model'] === this.#model && data['prefix'] === this.#prefix
  }

  get #prefix(): string {
    return this.#sum.copy().digest('hex').slice(0, 32)
  }
}
