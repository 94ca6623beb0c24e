import { isAbsolute, resolve } from 'node:path'
import type { Listening } from '../../../hono/server.ts'
import { usageError } from '../../flags.ts'

/** Reads where to listen: `HOST:PORT`, `PORT`, `[IPv6]:PORT` or `unix:PATH`. Default: this machine alone, at a free port. Throws `usage`. */
export function readListenAddress(text: string | undefined, cwd: string): Listening {
  if (text === undefined) return { type: 'tcp', host: '127.0.0.1', port: 0 }
  const path = /^unix:(.+)$/.exec(text)?.[1]
  if (path !== undefined) return { type: 'unix', path: isAbsolute(path) ? path : resolve(cwd, path) }
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw usageError(`--listen takes HOST:PORT or unix:PATH, not ${JSON.stringify(text)}`)
  return { type: 'tcp', host: bracketed ?? plain ?? '127.0.0.1', port }
}
