import { PipeError } from '../../error.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import type { ServerProgram } from '../../machine/server-program.ts'
import type { DrivingProgram } from './driving-program.ts'

/** The servers of tools inside the program that drives pipe. Their messages ride in its requests and in ours. */
export class ProgramServers implements ServerProgram {
  readonly #program: DrivingProgram
  readonly #hearing = new Map<string, (message: JsonObject) => void>()

  constructor(program: DrivingProgram) {
    this.#program = program
  }

  async send(server: string, message: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const request = { subtype: 'mcp_message', server_name: server, message }
    const { mcp_response: answer } = await this.#program.ask(request, signal)
    if (isJsonObject(answer)) return answer
    throw new PipeError('tool', 'the program that drives pipe answered without mcp_response')
  }

  listen(server: string, hear: (message: JsonObject) => void): () => void {
    this.#hearing.set(server, hear)
    return () => {
      if (this.#hearing.get(server) === hear) this.#hearing.delete(server)
    }
  }

  /** Takes what one of the servers says by itself. Throws `usage` for a server that nobody listens to. */
  take(server: string, message: JsonObject): void {
    const hear = this.#hearing.get(server)
    if (hear === undefined)
      throw new PipeError('usage', `the program has no MCP server ${JSON.stringify(server)} in use`)
    hear(message)
  }
}
