import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection to a server, of which a test decides each byte. */
export interface RawConnection {
  readonly socket: Socket
  /** The bytes that arrived so far. */
  readonly received: string
  /** Resolves once this has arrived. Rejects if the connection ends without it. */
  until(pattern: RegExp): Promise<string>
  /** Resolves when the connection has ended, with all that arrived. */
  readonly closed: Promise<string>
}

/** Connects to the address in a URL, and sends these bytes. */
export async function rawConnection(url: string, bytes = ''): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let received = ''
  const waiting = new Set<() => void>()
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  // A connection that the server resets has ended, too.
  socket.on('error', () => undefined)
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  socket.write(bytes)
  const until = async (pattern: RegExp) => {
    const found = new Promise<string>((resolve) => {
      const look = () => {
        if (!pattern.test(received)) return
        waiting.delete(look)
        resolve(received)
      }
      waiting.add(look)
      look()
    })
    const first = await Promise.race([found, closed])
    if (!pattern.test(first)) throw new Error(`the connection ended without ${pattern}: ${first}`)
    return first
  }
  return {
    socket,
    get received() {
      return received
    },
    until,
    closed,
  }
}
