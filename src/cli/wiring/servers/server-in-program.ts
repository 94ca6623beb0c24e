import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import type { ServerInProgram } from '../../../machine/tool-server.ts'

/** Reads what a program says of a server in itself. */
export function serverInProgram(name: string, settings: JsonValue | undefined): ServerInProgram {
  const { timeout }: JsonObject = isJsonObject(settings) ? settings : {}
  const isTime = typeof timeout === 'number' && timeout > 0
  return { name, access: { type: 'program' }, ...(isTime && { callMs: timeout }) }
}
