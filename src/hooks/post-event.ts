import { PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import { isLoopback } from '../machine/loopback.ts'
import { optionVariable } from '../machine/plugin-options.ts'
import type { Transport } from '../machine/transport.ts'
import type { Hook, HookHandler } from './hook.ts'
import { KeptOutput, mostOfAnswer } from './kept-output.ts'
import { isSafeUrl } from './read-handler.ts'

/** Redirects that are followed. */
const mostRedirects = 5

interface PostOptions {
  readonly transport: Pick<Transport, 'send'>
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The user's options of the hook's plugin, as its programs get them. Default: none. */
  readonly options?: Hook['env'] | undefined
  readonly signal: AbortSignal
}

/**
 * Sends an event to the server of a hook. Returns its answer, or the beginning of a long one. Another origin gets no headers. Throws `network`, `timeout`,
 * `protocol`, `config`, `aborted`, and `tool` for a status that is no answer.
 */
export async function postEvent(
  { url, headers, variables }: Extract<HookHandler, { readonly type: 'http' }>,
  input: JsonObject,
  { transport, signal, ...options }: PostOptions,
): Promise<Pick<KeptOutput, 'text' | 'isCut'>> {
  const own = filledIn(headers, variables, options)
  const type = { 'content-type': 'application/json' }
  let at = url
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const isOwn = new URL(at).origin === new URL(url).origin
    const request = {
      method: 'POST',
      url: at,
      headers: isOwn ? { ...type, ...own } : type,
      body: JSON.stringify(input),
    } as const
    const { status, headers: answered, body } = await transport.send(request, { signal })
    const kept = new KeptOutput(mostOfAnswer)
    for await (const chunk of body) {
      kept.add(chunk)
      if (kept.isCut) break
    }
    if (status >= 200 && status < 300) return kept
    const next = status === 307 || status === 308 ? answered['location'] : undefined
    if (next === undefined) throw new PipeError('tool', `the server answered with the status ${status}`)
    at = redirected(next, at)
  }
  throw new PipeError('tool', 'the server redirects too often')
}

/** Returns where a redirect leads. A server elsewhere must not reach this machine through it. */
function redirected(location: string, from: string): string {
  const to = URL.canParse(location, from) ? new URL(location, from).href : undefined
  if (to === undefined || !isSafeUrl(to) || (isLoopback(to) && !isLoopback(from)))
    throw new PipeError('tool', 'the server redirects to an address that hooks must not use')
  return to
}

/** Fills in the variables that the hook lists. Others are empty. */
function filledIn(
  headers: Readonly<Record<string, string>>,
  listed: readonly string[],
  { variables, options = {} }: Pick<PostOptions, 'variables' | 'options'>,
): Readonly<Record<string, string>> {
  const fill = (text: string) =>
    text.replace(
      /\$(?:\{((?:user_config\.)?[A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
      (_whole, braced: string | undefined, bare: string | undefined) => {
        const name = braced ?? bare ?? ''
        const option = optionVariable(name)
        if (option !== undefined) return options[option] ?? ''
        return listed.includes(name) ? (variables[name] ?? '') : ''
      },
    )
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value)]))
}
