import type { Hash } from 'node:crypto'
import { isJsonObject } from '../json-value.ts'
import type { ProviderData, ThinkingBlock } from '../message.ts'
import type { Request } from '../provider.ts'

/** The parts of a request before its messages. */
export type BoundRequest = Pick<Request, 'model' | 'systemPrompt' | 'tools'>

/**
 * A hash of a request up to some place. Newer models accept a thought only from themselves and after the same prefix. If that
 * changed (a summary, other tools, another system prompt), the thought must be left out.
 */
export class ThoughtBinding {
  readonly #provider: string
  readonly #model: string
  #sum: Hash | undefined
  /** Not hashed yet. Without thoughts it never is, and hashing takes time to load. */
  readonly #waiting: unknown[]

  constructor({ model, systemPrompt, tools }: BoundRequest, provider: string) {
    this.#provider = provider
    this.#model = model
    const described = tools.map(({ name, description, parameters }) => [name, description, parameters])
    this.#waiting = [[systemPrompt, ...described]]
  }

  /** Adds the next part of the request, which must not change afterwards. */
  add(part: unknown): void {
    this.#waiting.push(part)
  }

  /** Returns a binding to what was added so far, which later parts do not change. */
  copy(): ThoughtBinding {
    const copied = new ThoughtBinding({ model: this.#model, systemPrompt: '', tools: [] }, this.#provider)
    copied.#sum = this.#sum?.copy()
    copied.#waiting.splice(0, 1, ...this.#waiting)
    return copied
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
    this.#sum ??= process.getBuiltinModule('node:crypto').createHash('sha256')
    for (const part of this.#waiting.splice(0)) this.#sum.update(`${JSON.stringify(part)}\n`)
    return this.#sum.copy().digest('hex').slice(0, 32)
  }
}
