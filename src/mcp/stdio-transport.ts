import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Clock } from '../clock.ts'
import type { CommandRunner } from '../machine/running-command.ts'
import type { LocalToolServer } from '../machine/tool-server.ts'
import { PipedServer } from '../process/piped-server.ts'
import { MessageLines } from './message-lines.ts'

export interface StdioOptions {
  readonly commands: Pick<CommandRunner, 'start'>
  readonly clock: Clock
  readonly server: LocalToolServer
  /** Where it starts if it does not say. */
  readonly folder: string
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>
}

/** Speaks to a server over its stdin and stdout, a message a line. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: PipedServer

  constructor({ commands, clock, server, folder, env }: StdioOptions) {
    const { command: file, args, cwd = folder } = server
    const lines = new MessageLines((message) => this.onmessage?.(message))
    this.#server = new PipedServer({
      commands,
      clock,
      program: { file, args, cwd, env },
      take: (chunk) => lines.push(chunk),
      onEnd: () => this.onclose?.(),
    })
  }

  /** Says how the server ended, with its last words on stderr. `undefined` while it runs. */
  get ended(): PipedServer['ended'] {
    return this.#server.ended
  }

  start(): Promise<void> {
    return this.#server.start()
  }

  send(message: JSONRPCMessage): Promise<void> {
    const isSent = this.#server.write(`${JSON.stringify(message)}\n`)
    return isSent ? Promise.resolve() : Promise.reject(new Error('the server has ended'))
  }

  /** Closes stdin, which asks a server to end, then ends its group. */
  close(): Promise<void> {
    return this.#server.close()
  }
}
