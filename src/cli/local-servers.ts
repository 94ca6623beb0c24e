import type { Settings } from '../config/settings.ts'
import { isPipeError } from '../error.ts'
import { readText } from '../http/body.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import type { Transport } from '../transport.ts'
import type { Host } from './host.ts'
import { findServer } from './server.ts'

/** Servers that people run on their own machine, in the order in which their answers count. */
const locals = ['ollama', 'lmstudio', 'llamacpp']
/** How long they have to answer, asked all at once. */
const patienceMs = 150

export interface LocalSearch {
  readonly settings: Settings
  readonly host: Host
  readonly transport: Transport
  readonly signal: AbortSignal
}

/** The first model of the first local server that answers, as `provider/model`. */
export async function findLocalModel(search: LocalSearch): Promise<string | undefined> {
  const { settings, host, transport, signal } = search
  const stop = new AbortController()
  const onAbort = () => stop.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  const asked = locals.map(async (name) => {
    const { baseUrl } = findServer(name, settings, host.env)
    const model = await firstModel(transport, baseUrl, stop.signal)
    return model === undefined ? undefined : `${name}/${model}`
  })
  const patience = host.clock.sleep(patienceMs, stop.signal).then(onAbort, () => undefined)
  try {
    const answers = await Promise.all(asked)
    return answers.find((answer) => answer !== undefined)
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort()
    await patience
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
