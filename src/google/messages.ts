import { CallIds } from '../http/dialect/call-ids.ts'
import { type Author, readOwnData } from '../http/dialect/own-data.ts'
import { sentArguments } from '../http/dialect/sent-json.ts'
import { acceptableName } from '../http/dialect/tool-name.ts'
import type { JsonObject } from '../json-value.ts'
import { withoutUnsupported } from '../media/media-support.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type ToolCallBlock,
  type ToolResultMessage,
  toolCalls,
} from '../message.ts'
import type { Request } from '../provider.ts'
import { object, text } from '../wire/json-fields.ts'
import { type MediaPart, shownParts, type TextPart } from './content.ts'
import { modelId, wantsSignatures } from './models.ts'
import { signedParts } from './text-run.ts'

export type GeminiPart =
  | (TextPart & { readonly thought?: true; readonly thoughtSignature?: string })
  | MediaPart
  | { readonly functionCall: FunctionCall; readonly thoughtSignature?: string }
  | { readonly functionResponse: FunctionResponse }
  /** A part that only the server understands. */
  | JsonObject

type FunctionCall = { readonly id: string; readonly name: string; readonly args: JsonObject }
type FunctionResponse = {
  readonly id: string
  readonly name: string
  readonly response: { readonly output: string } | { readonly error: string }
}

/** A message of a request. */
export interface Content {
  readonly role: 'user' | 'model'
  readonly parts: GeminiPart[]
}

/** Placeholder signature that the server accepts for an unsigned call or one of another model. */
const foreignSignature = 'skip_thought_signature_validator'

/**
 * Converts the conversation, without the system prompt, so that it begins with the user and the roles alternate. Sorts the results of
 * a round by its calls, with their media after them. Sends signatures back only to their provider and model.
 */
export function wireContents(request: Request, provider: string): readonly Content[] {
  const recipient: Recipient = {
    provider,
    model: modelId(request.model),
    signsCalls: wantsSignatures(request.model),
    ids: new CallIds(),
  }
  const wire: Content[] = []
  let calls: readonly ToolCallBlock[] = []
  let results: ToolResultMessage[] = []
  for (const message of withoutUnsupported(request.messages, request.info)) {
    if (message.type === 'tool_result') {
      results.push(message)
      continue
    }
    append(wire, 'user', resultParts(results, calls, recipient.ids))
    results = []
    calls = toolCalls(message)
    if (message.type === 'user') append(wire, 'user', shownParts(message.content))
    else append(wire, 'model', spokenParts(message, recipient))
  }
  append(wire, 'user', resultParts(results, calls, recipient.ids))
  return wire[0]?.role === 'user' ? wire : [opening, ...wire]
}

const opening: Content = { role: 'user', parts: [{ text: '(the conversation continues)' }] }

function append(wire: Content[], role: Content['role'], parts: readonly GeminiPart[]): void {
  const last = wire.at(-1)
  if (last?.role === role) last.parts.push(...parts)
  else if (parts.length > 0) wire.push({ role, parts: [...parts] })
}

interface Recipient extends Author {
  /** Whether the first call of each step must be signed. */
  readonly signsCalls: boolean
  readonly ids: CallIds
}

function spokenParts(message: AssistantMessage, recipient: Recipient): readonly GeminiPart[] {
  const [first] = toolCalls(message)
  return message.content.flatMap((block: ContentBlock): readonly GeminiPart[] => {
    const proof = readOwnData(block, recipient)
    switch (block.type) {
      case 'text':
        return signedParts(block.text, proof) ?? shownParts([block])
      case 'thinking':
        return thoughtParts(block.thinking, proof)
      case 'tool_call':
        return [callPart(block, text(proof?.['thoughtSignature']), block === first, recipient)]
      default:
        return []
    }
  })
}

/** Sends thoughts back only if signed. */
function thoughtParts(thinking: string, proof: JsonObject | undefined): readonly GeminiPart[] {
  const part = object(proof?.['part'])
  if (part !== undefined) return [part]
  return signedParts(thinking, proof)?.map((signed) => ({ ...signed, thought: true })) ?? []
}

function callPart(
  { id, name, arguments: args }: ToolCallBlock,
  signature: string,
  isFirst: boolean,
  { ids, signsCalls }: Recipient,
): GeminiPart {
  const thoughtSignature = signature || (isFirst && signsCalls ? foreignSignature : '')
  return {
    functionCall: { id: ids.begin(id), name: acceptableName(name), args: sentArguments(args) },
    ...(thoughtSignature === '' ? {} : { thoughtSignature }),
  }
}

function resultParts(
  results: readonly ToolResultMessage[],
  calls: readonly ToolCallBlock[],
  ids: CallIds,
): readonly GeminiPart[] {
  const answers = calls.flatMap(({ id, name }): Answer[] => {
    const result = results.find(({ toolCallId }) => toolCallId === id)
    if (result === undefined) return []
    const parts = shownParts(result.content)
    return [{ id: ids.get(id), name: acceptableName(name), isError: result.isError, parts }]
  })
  return [
    ...answers.map(responsePart),
    ...answers.flatMap(({ parts }) => parts.filter((part) => !('text' in part))),
  ]
}

interface Answer {
  readonly id: string
  readonly name: string
  readonly isError: boolean
  readonly parts: readonly (TextPart | MediaPart)[]
}

function responsePart({ id, name, isError, parts }: Answer): GeminiPart {
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []))
  const output = texts.join('\n\n') || '(the result follows)'
  return { functionResponse: { id, name, response: isError ? { error: output } : { output } } }
}
