import { isPipeError } from '../error.ts'
import { readText } from '../http/body.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import { builtinServers } from '../openai/servers.ts'
import type { Transport } from '../transport.ts'
import type { Host } from './host.ts'

/** How long the local servers, asked all at once, have to answer. */
const patienceMs = 150

/** The first model of the first local server that answers, as `provider/model`. */
export async function findLocalModel(
  transport: Transport,
  { clock }: Pick<Host, 'clock'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stop = new AbortController()
  const onAbort = () => stop.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  const locals = builtinServers.filter((server) => server.apiKeyEnv === undefined)
  const asked = locals.map(async ({ name, baseUrl }) => {
    const model = await firstModel(transport, baseUrl, stop.signal)
    return model === undefined ? undefined : `${name}/${model}`
  })
  try {
    void clock.sleep(patienceMs, stop.signal).then(onAbort, () => undefined)
    const answers = await Promise.all(asked)
    return answers.find((answer) => answer !== undefined)
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort()
  }
}

async function firstModel(
  transport: Transport,
  baseUrl: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await transport.send(
      { method: 'GET', url: `${baseUrl}/models`, headers: {} },
      { signal },
    )
    const list = parseJson(await readText(response.body, 1_000_000))
    const models = isJsonObject(list) && Array.isArray(list['data']) ? list['data'] : []
    const first: unknown = models[0]
    return isJsonObject(first) && typeof first['id'] === 'string' ? first['id'] : undefined
  } catch (error) {
    if (isPipeError(error)) return undefined
    throw error
  }
}
