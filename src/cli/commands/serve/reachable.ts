import { networkInterfaces } from 'node:os'

/** Returns the address of a server as others reach it: one that listens on all addresses has many, of which one is named. */
export function reachable(url: string): string {
  const [, host = '', port = ''] = /^http:\/\/(0\.0\.0\.0|\[::\]):(\d+)$/.exec(url) ?? []
  if (host === '') return url
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  return `http://${own?.address ?? '127.0.0.1'}:${port}`
}
