import type { JsonObject } from '../json-value.ts'

/** A program that has servers of tools in itself. */
export interface ServerProgram {
  /**
   * Sends a message to one of its servers, and returns what it answers. Throws `tool` if it refuses, and `aborted` once the signal fires or
   * the program is gone.
   */
  send(server: string, message: JsonObject, signal: AbortSignal): Promise<JsonObject>
  /** Hears what one of its servers says by itself, until the returned function is called. */
  listen(server: string, hear: (message: JsonObject) => void): () => void
}
