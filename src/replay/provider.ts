import type { Clock } from '../clock.ts'
import { PipeError, unreachable } from '../error.ts'
import type { NewId } from '../id.ts'
import type { Provider, Request } from '../provider.ts'
import type { AdapterEvent, Finish } from '../reply/accumulator.ts'
import { adaptedProvider } from '../stream.ts'
import type { ScriptBlock, ScriptedReplies, ScriptFailure, ScriptRound } from './script.ts'

export interface ReplayOptions {
  readonly script: ScriptedReplies
  readonly newId: NewId
  readonly clock: Clock
}

/**
 * Creates a provider that plays a script, always with the same deltas. The request's assistant messages select the round, so a new
 * process continues after the last one. Streams throw the script's failures, and `input` past its end.
 */
export function createReplayProvider({ script, newId, clock }: ReplayOptions): Provider {
  const attempts = new Map<number, number>()

  /** Returns the failure of this attempt at a round, if any. */
  const nextFailure = (number: number, round: ScriptRound): ScriptFailure | undefined => {
    const attempt = attempts.get(number) ?? 0
    attempts.set(number, attempt + 1)
    return round.failures[attempt]
  }

  async function* play(request: Request, signal: AbortSignal): AsyncGenerator<AdapterEvent, Finish> {
    const number = request.messages.filter((message) => message.type === 'assistant').length
    const round = script.rounds[number]
    if (round === undefined) throw pastTheEnd(script)
    const failure = nextFailure(number, round)
    let sent = 0
    for (const delta of roundDeltas(round, newId)) {
      if (sent === failure?.after) break
      if (round.paceMs !== undefined) await clock.sleep(round.paceMs, signal)
      yield delta
      sent++
    }
    if (failure !== undefined) throw new PipeError(failure.code, failure.message)
    return toFinish(round, script.model)
  }

  return adaptedProvider('replay', (request) => (signal) => play(request, signal), { newId, clock })
}

function pastTheEnd({ rounds }: ScriptedReplies): PipeError {
  const count = rounds.length === 1 ? '1 round' : `${rounds.length} rounds`
  return new PipeError('input', `the script has ${count} and the conversation asks for one more`)
}

function* roundDeltas({ blocks }: ScriptRound, newId: NewId): Generator<AdapterEvent> {
  for (const [index, block] of blocks.entries()) yield* blockDeltas(block, `block_${index}`, newId)
}

function* blockDeltas(block: ScriptBlock, id: string, newId: NewId): Generator<AdapterEvent> {
  switch (block.type) {
    case 'thinking':
      for (const delta of words(block.thinking)) yield { type: 'thinking_delta', id, delta }
      return
    case 'text':
      for (const delta of words(block.text)) yield { type: 'text_delta', id, delta }
      return
    case 'tool_call': {
      const callId = block.id ?? newId.toolCall()
      yield { type: 'tool_call_begin', id: callId, name: block.name }
      for (const delta of words(JSON.stringify(block.arguments)))
        yield { type: 'tool_call_delta', id: callId, delta }
      yield { type: 'call_complete', id: callId }
      return
    }
    default:
      unreachable(block)
  }
}

/** Splits a text after each word. */
function words(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

function toFinish({ blocks, stopReason, usage }: ScriptRound, model: string | undefined): Finish {
  const calls = blocks.some((block) => block.type === 'tool_call')
  return { stopReason: stopReason ?? (calls ? 'tool_use' : 'end_turn'), usage, model }
}
