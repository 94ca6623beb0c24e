import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/** A connection to a server on this machine that can fall silent without an end, as a network does. */
export interface Cable {
  readonly port: number
  /** Carries nothing from now on. */
  cut(): void
}

/** Lays a cable to a port, removed after the test. */
export async function layCable(to: { readonly host: string; readonly port: number }): Promise<Cable> {
  const ends = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(to)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('data', (bytes) => isCut || into.write(bytes))
      from.on('close', () => isCut || into.destroy())
      from.on('error', () => undefined)
    }
  })
  onTestFinished(() => {
    for (const end of ends) end.destroy()
    server.close()
  })
  const port = await listen(server)
  return {
    port,
    cut: () => {
      isCut = true
    },
  }
}
