import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Clock } from '../clock.ts'
import { isPipeError } from '../error.ts'
import type { CommandExit, CommandRunner, RunningCommand } from '../machine/running-command.ts'
import type { LocalToolServer } from '../machine/tool-server.ts'
import { MessageLines } from './message-lines.ts'

/** Characters of stderr that are kept for the reason of a failure. */
const lastWords = 4_000
/** Time in ms that a server has to end by itself once its stdin is closed, then after TERM. */
const graceMs = { leave: 250, term: 250 }

export interface StdioOptions {
  readonly commands: Pick<CommandRunner, 'start'>
  readonly clock: Clock
  readonly server: LocalToolServer
  /** Where it starts if it does not say. */
  readonly folder: string
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Speaks to a server over its stdin and stdout, a message a line. The server has a process group of its own, which ends with it: a server
 * behind `sh -c` too.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: StdioOptions
  readonly #stop = new AbortController()
  #running: RunningCommand | undefined
  #reading: Promise<void> = Promise.resolve()
  #exit: CommandExit | undefined
  #stderr = ''
  #closing: Promise<void> | undefined

  constructor(options: StdioOptions) {
    this.#options = options
  }

  /** Says how the server ended, with its last words on stderr. `undefined` while it runs. */
  get ended(): { readonly exit: CommandExit; readonly stderr: string } | undefined {
    return this.#exit && { exit: this.#exit, stderr: this.#stderr.trim() }
  }

  async start(): Promise<void> {
    const { commands, server, env, folder } = this.#options
    const { command: file, args, cwd = folder } = server
    this.#running = await commands.start(
      { file, args, cwd, env },
      { stdin: 'open', output: 'separate', graceMs: graceMs.term },
    )
    this.#reading = this.#read(this.#running)
  }

  send(message: JSONRPCMessage): Promise<void> {
    const isSent = this.#exit === undefined && this.#running?.write(`${JSON.stringify(message)}\n`) === true
    return isSent ? Promise.resolve() : Promise.reject(new Error('the server has ended'))
  }

  /** Closes stdin, which asks a server to end, then ends its group. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const running = this.#running
    if (running === undefined) return
    running.write('')
    await this.#leaving()
    await running.end()
    this.#stop.abort()
    await this.#reading
    running.release()
  }

  /** Resolves when the server has ended, or had its time. */
  #leaving(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#options.clock.after(graceMs.leave, resolve)
      void this.#reading.then(() => {
        stop()
        resolve()
      })
    })
  }

  async #read(running: RunningCommand): Promise<void> {
    const lines = new MessageLines((message) => this.onmessage?.(message))
    const decoder = new TextDecoder()
    try {
      const output = running.output(this.#stop.signal)
      for (;;) {
        const { done, value } = await output.next()
        if (done === true) {
          this.#exit = value
          break
        }
        if (value.stream === 'stderr')
          this.#stderr = (this.#stderr + decoder.decode(value.chunk, { stream: true })).slice(-lastWords)
        else if (!lines.push(value.chunk)) void running.end()
      }
    } catch (error) {
      if (!isPipeError(error) || error.code !== 'aborted') throw error
    }
    this.onclose?.()
  }
}
