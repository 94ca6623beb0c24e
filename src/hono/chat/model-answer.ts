import type { TurnStep } from '../../agent/agent.ts'
import { Meter } from '../../agent/limits/meter.ts'
import { linkAbort } from '../../agent/linked-abort.ts'
import { Fallback, type FallbackAsking } from '../../agent/request/fallback.ts'
import type { IncomingReply } from '../../agent/request/incoming-reply.ts'
import type { Clock } from '../../clock.ts'
import { infoOf, type ModelChoice, modelName } from '../../engine.ts'
import { PipeError, unreachable } from '../../error.ts'
import type { StreamEvent } from '../../event.ts'
import type { Request } from '../../provider.ts'
import type { ServedModel } from '../backend.ts'
import type { AnsweringOptions, AnswerPart, ServedAnswer } from './answer.ts'

/** A request for a model, whichever answers it in the end. */
export type ModelQuestion = Omit<Request, 'model' | 'info'>

export interface Asking extends AnsweringOptions {
  readonly clock: Clock
  readonly random: () => number
}

/** Lets a model answer without an agent: its calls go to the client. Retries and falls back as the loop does. */
export function askModel(model: ServedModel, question: ModelQuestion, asking: Asking): ServedAnswer {
  return { model: modelName(model.choice), parts: modelParts(model, question, asking) }
}

async function* modelParts(
  { choice, fallback }: ServedModel,
  question: ModelQuestion,
  { clock, random, signal, isStreamed }: Asking,
): AsyncGenerator<AnswerPart, void, undefined> {
  const { controller, unlink } = linkAbort(signal)
  const spent = new Meter()
  const asking: FallbackAsking = {
    clock,
    random,
    spent,
    signal: controller.signal,
    latency: new Map(),
    chosen: choice,
    compose: (asked) => composeRequest(question, asked),
  }
  const steps = new Fallback(fallback).ask(choice, asking)
  const calls = new CallParts()
  let reply: IncomingReply | undefined
  let isBegun = false
  let isRepeated = false
  try {
    for (;;) {
      const step = await steps.next()
      if (step.done === true) {
        const { message, error } = step.value
        if (error !== undefined) throw error
        if (!isBegun) yield { type: 'begin' }
        const { stopReason } = message
        yield { type: 'end', end: { stopReason, usage: spent.usage, message } }
        return
      }
      if (step.value.type === 'notice') continue
      if (step.value.type === 'reply') reply = step.value
      else if (isShownAgain(step.value)) {
        // What was sent cannot be taken back, and the client has all of it.
        isRepeated = isBegun && isStreamed
        continue
      } else if (isBegun && isStreamed) throw failureOf(reply)
      else continue
      for (let event = await reply.next(); event !== undefined; event = await reply.next()) {
        if (isRepeated) continue
        if (!isBegun) yield { type: 'begin' }
        isBegun = true
        yield* calls.read(event)
      }
    }
  } finally {
    controller.abort()
    unlink()
    await drain(steps)
  }
}

function isShownAgain(step: TurnStep): boolean {
  return step.type === 'retry' && step.attempt === 0
}

/** Ends an aborted question, whose connection is then closed. */
async function drain(steps: ReturnType<Fallback['ask']>): Promise<void> {
  for (let step = await steps.next(); step.done !== true; step = await steps.next())
    if (step.value.type === 'reply') while ((await step.value.next()) !== undefined);
}

function composeRequest(question: ModelQuestion, choice: ModelChoice): Request {
  const { thinking = choice.thinking, maxTokens: wanted, ...asked } = question
  const info = infoOf(choice)
  // Clients that do not know the model ask for more than it has.
  const maxTokens = wanted && Math.min(wanted, info?.maxOutput ?? wanted)
  return { ...asked, model: choice.model, info, thinking, maxTokens }
}

/** The reason why a reply that the client has seen in part was given up. */
function failureOf(reply: IncomingReply | undefined): PipeError {
  return reply?.failure() ?? new PipeError('protocol', 'the model ended its answer without a call or a word')
}

/** Numbers the calls of an answer. */
class CallParts {
  readonly #calls = new Map<string, { readonly index: number; hasArguments: boolean }>()

  read(event: StreamEvent): readonly AnswerPart[] {
    switch (event.type) {
      case 'text_delta':
        return [{ type: 'text', text: event.delta }]
      case 'thinking_delta':
        return [{ type: 'thinking', text: event.delta }]
      case 'tool_call_begin': {
        const { id, name } = event
        const index = this.#calls.size
        this.#calls.set(id, { index, hasArguments: false })
        return [{ type: 'call_begin', index, id, name }]
      }
      case 'tool_call_delta':
        return this.#piece(event.id, event.delta)
      case 'tool_call_end': {
        const { id, arguments: args } = event.call
        return this.#calls.get(id)?.hasArguments === true ? [] : this.#piece(id, JSON.stringify(args ?? {}))
      }
      default:
        return unreachable(event)
    }
  }

  #piece(id: string, delta: string): readonly AnswerPart[] {
    const call = this.#calls.get(id)
    if (call === undefined) return []
    call.hasArguments ||= delta !== ''
    return [{ type: 'call_delta', index: call.index, delta }]
  }
}
