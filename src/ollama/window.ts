import { endpoint } from '../http/dialect/endpoint.ts'
import { type AskWindow, tokensIn } from '../http/dialect/served-window.ts'
import { object } from '../wire/json-fields.ts'
import { maxContext } from './context-size.ts'

/** Returns the model's own window, capped at the size requested from the server. */
export const ollamaWindow: AskWindow = async (baseUrl, model, ask) => {
  const shown = await ask(endpoint(baseUrl, '/api/show'), { model })
  const info = object(shown?.['model_info'])
  const fields = Object.keys(info ?? {}).filter((key) => key.endsWith('.context_length'))
  const own = tokensIn(info, fields)
  return own === undefined ? undefined : Math.min(own, maxContext)
}
