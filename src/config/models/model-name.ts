import { PipeError } from '../../error.ts'
import { splitLevel } from '../../model.ts'
import type { ThinkingLevel } from '../../provider.ts'

/** Valid provider or route name: no slash. */
export const plainName = /^[a-z0-9][a-z0-9._-]*$/i

/** `provider/model[:level]`, as settings spell it. */
export const modelPattern = /^[^\s/]+\/\S+$/

export interface ModelName {
  readonly provider: string
  readonly model: string
  readonly thinking?: ThinkingLevel | undefined
}

/**
 * Reads `provider/model[:level]`. The first segment is the provider, the rest the model, slashes and colons included; a last
 * `:level` counts only if it is one of the levels. Throws `usage`.
 */
export function parseModelName(text: string): ModelName {
  const slash = text.indexOf('/')
  if (slash <= 0 || slash === text.length - 1) {
    throw new PipeError('usage', `expected provider/model, such as openai/gpt-5, not ${JSON.stringify(text)}`)
  }
  const { name: model, level: thinking } = splitLevel(text.slice(slash + 1))
  return { provider: text.slice(0, slash), model, thinking }
}
