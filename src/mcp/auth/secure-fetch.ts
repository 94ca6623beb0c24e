import type { FetchLike } from '@modelcontextprotocol/client'
import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import type { Transport } from '../../machine/transport.ts'
import { fetchOver } from '../http-fetch.ts'
import { IdleLimit } from '../idle-limit.ts'

/** Bytes of an answer at most, and time in ms for it: an authorization server is a stranger. */
const most = { bytes: 1_000_000, ms: 30_000 }

/**
 * Sends what a sign-in needs: to https alone, and to http of this machine where the server of tools is on it too. Follows no redirect.
 * Throws `auth` for another address or too long an answer, and as the transport does.
 */
export function secureFetch(
  server: string,
  { transport, clock }: { readonly transport: Transport; readonly clock: Pick<Clock, 'after'> },
): FetchLike {
  const send = fetchOver(transport)
  return async (url, init = {}) => {
    requireSecure(String(url), server)
    const limit = new IdleLimit(clock, most.ms)
    const { body } = init
    try {
      const answer = await send(url, {
        ...init,
        ...(body instanceof URLSearchParams && { body: String(body) }),
        signal: limit.signal,
      })
      const { status, headers } = answer
      return new Response(await wholeBody(answer, String(url)), { status, headers })
    } catch (error) {
      if (!limit.signal.aborted) throw error
      throw new PipeError('timeout', `${originOf(url)} did not answer within ${most.ms / 1_000} s`, {
        cause: error,
      })
    } finally {
      limit.release()
    }
  }
}

/** Throws `auth` unless tokens may be sent to this address for this server. */
export function requireSecure(url: string, server: string): void {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  if (protocol === 'https:') return
  if (protocol === 'http:' && isLoopback(hostname) && isLoopback(new URL(server).hostname)) return
  throw new PipeError('auth', `a sign-in uses only https, and not ${originOf(url)}`)
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

function originOf(url: string | URL): string {
  return URL.canParse(String(url)) ? `${new URL(url).protocol}//${new URL(url).host}` : 'an invalid address'
}

async function wholeBody({ body }: Response, url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most.bytes) throw new PipeError('auth', `the answer of ${originOf(url)} is too large`)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
