import * as z from 'zod'
import { isPipeError, PipeError } from '../../error.ts'
import { isMessageId, type MessageId } from '../../id.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import type { Message } from '../../message.ts'
import { validateHistory } from '../../provider.ts'
import { beginsHandOver, handOverMark, handOverVersion } from '../../wire/hand-over-mark.ts'
import { decodeMessage } from './decode.ts'
import { type HandOver, handOverSchema } from './hand-over-schema.ts'

/** A conversation that another run handed over. */
export interface HandedOver {
  readonly messages: readonly Message[]
  readonly budget: HandOver['budget']
}

export interface ReadingHandOver {
  /** Whether the user's own key signed it. */
  readonly isSigned: (envelope: JsonObject) => boolean
  /** Whether an envelope without that signature is taken. */
  readonly takesAny: boolean
  readonly newId: () => MessageId
}

/** Reads an envelope. Throws `input` that says what to do. */
export function readHandOver(text: string, { isSigned, takesAny, newId }: ReadingHandOver): HandedOver {
  if (!beginsHandOver(text))
    throw new PipeError('input', 'stdin is not an envelope: make one with pipe -o pipe')
  const raw = parse(text)
  const version = raw[handOverMark]
  if (version !== handOverVersion)
    throw broken(
      `has version ${JSON.stringify(version)}, but this pipe reads version ${handOverVersion}: update pipe`,
    )
  const checked = handOverSchema.safeParse(raw)
  if (!checked.success)
    throw broken(`is broken: ${z.prettifyError(checked.error).split('\n').slice(0, 2).join(' ')}`)
  const { error, budget, conversation } = checked.data
  if (error !== undefined)
    throw new PipeError(
      'input',
      `the pipe before this one failed with exit code ${error.exit_code}: ${error.message}`,
    )
  if (!takesAny && !isSigned(raw))
    throw broken(
      'was not made by your pipe on this machine, or was changed: if you trust its source, add --stdin envelope',
    )
  const seen = new Set<MessageId>()
  const messages = conversation.map((message) => {
    const { id: given } = message
    const id = given !== undefined && isMessageId(given) && !seen.has(given) ? given : newId()
    seen.add(id)
    return decodeMessage(message, { id, parentId: undefined }, () => undefined)
  })
  requirePaired(messages)
  return { messages, budget }
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    throw broken('is cut off, or something follows it')
  }
  throw broken('is not a JSON object')
}

function requirePaired(messages: readonly Message[]): void {
  if (messages.at(-1)?.type !== 'assistant') throw broken('does not end with an answer')
  try {
    validateHistory(messages)
  } catch (error) {
    if (!isPipeError(error)) throw error
    throw broken(`is broken: ${error.message}`)
  }
}

function broken(reason: string): PipeError {
  return new PipeError('input', `the envelope on stdin ${reason}; to treat stdin as data, add --stdin data`)
}
