import type { Listening } from '../../../hono/server.ts'

/** An address of the network. */
export type TcpAddress = Extract<Listening, { readonly type: 'tcp' }>

/** Reads `HOST:PORT`, `PORT` or `[IPv6]:PORT`. Without a host, only this machine is meant. `undefined` for anything else. */
export function readTcpAddress(text: string): TcpAddress | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535) return undefined
  return { type: 'tcp', host: bracketed ?? plain ?? '127.0.0.1', port }
}

/** Resolves once the signal fires. */
export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
