import { RequestError } from '@agentclientprotocol/sdk'
import { type ErrorCode, isPipeError } from '../error.ts'

/** The protocol's code of an error that is the caller's. All others are internal errors. */
const codes: Readonly<Partial<Record<ErrorCode, number>>> = {
  auth: -32000,
  not_found: -32002,
  usage: -32602,
  input: -32602,
  invalid: -32602,
  aborted: -32800,
}

/** Words an error for an editor, which shows the message to its user. Passes on what is a bug. */
export function requestError(error: unknown): unknown {
  if (!isPipeError(error)) return error
  return new RequestError(codes[error.code] ?? -32603, error.message, { code: error.code })
}
