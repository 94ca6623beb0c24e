import { PipeError } from '../../error.ts'
import { isPublicAddress } from '../../http/public-address.ts'
import type { HttpResponse } from '../../machine/transport.ts'
import { limits, limitTexts } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'

/** The final response of a web server, after redirects within its site. */
export interface Visit {
  readonly url: URL
  /** A redirect to another site. Not followed, because only this site was judged. */
  readonly redirect?: Redirect
  readonly status: number
  /** As sent by the server: `text/html; charset=utf-8`. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

interface Redirect {
  readonly url: URL
  /** False if its URL alone shows that it would not be fetched. */
  readonly isOpen: boolean
}

/**
 * Fetches a URL without cookies or credentials. Checks every hop, and connects to the very address that was checked. Throws `invalid`
 * for a URL that is not fetched, `permission` for an address that is not public, and what the transport throws.
 */
export async function visit(url: string, workspace: Workspace, signal: AbortSignal): Promise<Visit> {
  const leaving = new AbortController()
  const within = AbortSignal.any([signal, leaving.signal])
  try {
    let target = parse(url, workspace)
    for (let redirects = 0; ; redirects++) {
      const response = await get(target, workspace, within)
      const location = redirectOf(response)
      const next = location === undefined ? undefined : parse(location, workspace, target.href)
      if (next === undefined || !isSameSite(target, next)) {
        const { status, headers } = response
        const found = { url: target, status, contentType: headers['content-type'] ?? '' }
        if (next === undefined) return { ...found, bytes: await collect(response) }
        const redirect = { url: next, isOpen: isOpen(next, workspace) }
        return { ...found, redirect, bytes: new Uint8Array() }
      }
      if (redirects === limits.redirects) throw refused(target, `more than ${limits.redirects} redirects`)
      target = next
    }
  } finally {
    // Closes the unread bodies of redirects.
    leaving.abort()
  }
}

/** Whether host and port are equal, apart from `www.`, and https does not become http. */
function isSameSite(from: URL, to: URL): boolean {
  const site = ({ host }: URL) => host.replace(/^www\./, '')
  return site(from) === site(to) && !(from.protocol === 'https:' && to.protocol === 'http:')
}

function parse(url: string, workspace: Workspace, base?: string): URL {
  if (!URL.canParse(url, base)) {
    throw new PipeError('invalid', `${url} is not a URL: write it in full, such as https://example.com/page`)
  }
  const target = new URL(url, base)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw refused(target, 'only http and https are fetched')
  }
  if (target.username !== '' || target.password !== '') throw refused(target, 'it holds credentials')
  if (!isWebPort(target.port) && !isAllowed(target, workspace)) {
    throw refused(target, `port ${target.port} is not a web port`)
  }
  return target
}

/** Allows 80, 443 and unprivileged ports. The others belong to mail, shells and the like. */
function isWebPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) >= 1_024
}

function isAllowed({ host }: URL, { allowPrivateAddresses }: Workspace): boolean {
  return allowPrivateAddresses?.(host) === true
}

function get(target: URL, workspace: Workspace, signal: AbortSignal): Promise<HttpResponse> {
  const headers = {
    'user-agent': workspace.userAgent,
    accept: 'text/markdown, text/html;q=0.9, */*;q=0.8',
    'accept-encoding': 'gzip, br',
  }
  const isFree = isAllowed(target, workspace)
  const admit = (address: string) => isFree || isPublicAddress(address)
  return workspace.transport.send({ method: 'GET', url: target.href, headers, admit }, { signal })
}

function redirectOf({ status, headers }: HttpResponse): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers['location'] : undefined
}

/** Judges only the URL itself: a name is resolved when it is fetched. */
function isOpen(target: URL, workspace: Workspace): boolean {
  if (isAllowed(target, workspace)) return true
  const { hostname } = target
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(hostname)
  return isAddress ? isPublicAddress(hostname.replace(/^\[|\]$/g, '')) : !/(^|\.)localhost\.?$/.test(hostname)
}

async function collect({ headers, body }: HttpResponse): Promise<Uint8Array> {
  if (Number(headers['content-length']) > limits.fetchBytes) throw tooLarge()
  const taken: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    taken.push(chunk)
    size += chunk.length
    if (size > limits.fetchBytes) throw tooLarge()
  }
  return Buffer.concat(taken)
}

function tooLarge(): PipeError {
  return new PipeError(
    'invalid',
    `it is larger than ${limitTexts.fetchBytes}; download it to a file with curl through bash`,
  )
}

function refused({ protocol, host }: URL, reason: string): PipeError {
  return new PipeError('invalid', `${host === '' ? protocol : `${protocol}//${host}:`} ${reason}`)
}
