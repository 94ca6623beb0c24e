import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../clock.ts'
import type { ServerLimits } from './server-limits.ts'

/**
 * Reads the rest of a request that was answered before its body had arrived, and closes the connection beyond the limits. A connection
 * that is closed while a client still sends resets it, and the client never sees the answer.
 */
export function linger(incoming: IncomingMessage, clock: Pick<Clock, 'after'>, limits: ServerLimits): void {
  if (incoming.complete || incoming.destroyed) return
  const close = () => incoming.socket.destroySoon()
  const stop = clock.after(limits.linger, close)
  incoming.once('end', stop).once('close', stop)
  let left = limits.lingerBytes
  incoming.on('data', (piece: Uint8Array) => {
    left -= piece.length
    if (left < 0) close()
  })
  incoming.resume()
}

/**
 * Keeps the connection of a request open until its body has arrived, also where Node would close it with the answer: to a client of
 * HTTP/1.0, as nginx is, whose sending then fails before it reads the answer.
 */
export function answerFirst(
  incoming: IncomingMessage,
  clock: Pick<Clock, 'after'>,
  limits: ServerLimits,
): void {
  const { socket } = incoming
  const close = socket.destroySoon
  socket.destroySoon = () => {
    socket.destroySoon = close
    if (incoming.complete || incoming.destroyed) return socket.destroySoon()
    socket.end()
    incoming.once('end', () => socket.destroySoon())
    linger(incoming, clock, limits)
  }
}
