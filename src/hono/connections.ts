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

  constructor(server: Server, most: number) {
    server.on('connection', (socket: Socket) => this.#add(socket, most))
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#quiet.delete(socket)
      response.once('close', () => {
        if (this.#all.has(socket)) this.#quiet.add(socket)
      })
    })
  }

  /** Whether a request of this connection is under way. */
  isBusy(socket: Socket): boolean {
    return this.#all.has(socket) && !this.#quiet.has(socket)
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
