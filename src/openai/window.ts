import { endpoint } from '../http/dialect/endpoint.ts'
import { type AskWindow, tokensIn } from '../http/dialect/served-window.ts'
import { object, objects } from '../wire/json-fields.ts'

/**
 * Reads a model's window: from the model list on most servers (vLLM: `max_model_len`), per slot from llama.cpp's `/props`, and
 * as loaded from LM Studio's own list.
 */
export const openaiWindow: AskWindow = async (baseUrl, model, ask) => {
  const listed = objects((await ask(endpoint(baseUrl, '/models')))?.['data'])
  const own = listed.find(({ id }) => id === model) ?? (listed.length === 1 ? listed[0] : undefined)
  if (own === undefined) return undefined
  const { origin } = new URL(baseUrl)
  const meta = object(own['meta'])
  if (meta !== undefined) {
    const slot = object((await ask(`${origin}/props`))?.['default_generation_settings'])
    return tokensIn(slot, ['n_ctx']) ?? tokensIn(meta, ['n_ctx', 'n_ctx_train'])
  }
  const stated = tokensIn(own, ['max_model_len', 'context_length', 'context_window'])
  if (stated !== undefined) return stated
  const loaded = objects((await ask(`${origin}/api/v0/models`))?.['data']).find(({ id }) => id === model)
  return tokensIn(loaded, ['loaded_context_length', 'max_context_length'])
}
