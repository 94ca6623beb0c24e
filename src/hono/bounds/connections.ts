import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Watches the connections of a server, so that those without a request can never keep others out: beyond `most`, the one that has been
 * without a request for longest is closed for a new one.
 */
export class Connections {
  readonly #all = new Set<Socket>()
  /** Those that carry no request, the longest first. */
  readonly #quiet = new Set<Socket>()
  /** The answers that are under way, or will be. A client may send further requests before the first is answered. */
  readonly #answers = new WeakMap<Socket, Set<ServerResponse>>()

  constructor(server: Server, most: number) {
    server.on('connection', (socket: Socket) => this.#add(socket, most))
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#quiet.delete(socket)
      const answers = this.#answers.get(socket) ?? new Set()
      this.#answers.set(socket, answers.add(response))
      response.once('close', () => {
        answers.delete(response)
        if (answers.size === 0 && this.#all.has(socket)) this.#quiet.add(socket)
      })
    })
  }

  /** Whether an answer on this connection has begun and not ended. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#answers.get(socket) ?? [])].some(({ headersSent }) => headersSent)
  }

  /** Closes the connections that carry no request. */
  closeQuiet(): void {
    for (const socket of this.#quiet) socket.destroy()
  }

  #add(socket: Socket, most: number): void {
    this.#all.add(socket)
    socket.once('close', () => {
      this.#all.delete(socket)
      this.#quiet.delete(socket)
    })
    if (this.#all.size > most) this.#makeRoom(socket)
    this.#quiet.add(socket)
  }

  #makeRoom(newest: Socket): void {
    const [longest = newest] = this.#quiet
    this.#all.delete(longest)
    this.#quiet.delete(longest)
    longest.destroy()
  }
}
