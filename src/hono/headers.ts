import type { MiddlewareHandler } from 'hono'

/** Headers of every answer that does not set them itself. */
const usual: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The same as lines of an answer that is written by hand. */
export const headerLines = Object.entries(usual).map(([name, value]) => `${name}: ${value}\r\n`)

/** Adds the usual headers, and once the server ends, the wish that the client connects anew. */
export function withHeaders(ending: AbortSignal): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { headers } = context.res
    setHeaders(headers)
    if (ending.aborted) headers.set('connection', 'close')
  }
}

/** Adds those of the usual headers that are not set. */
export function setHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(usual)) if (!headers.has(name)) headers.set(name, value)
}
