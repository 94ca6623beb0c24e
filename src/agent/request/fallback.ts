import { type Candidate, type ModelChoice, modelName } from '../../engine.ts'
import { isPipeError, PipeError, retryable } from '../../error.ts'
import type { Request } from '../../provider.ts'
import type { TurnStep } from '../agent.ts'
import { lacksOf, needsOf, openCandidate } from './model-route.ts'
import { askInForm } from './refused-form.ts'
import { type AskOptions, type AttemptedReply, annotated } from './request-reply.ts'

interface Replacement {
  readonly choice: ModelChoice
  /** The conversation's choice at that time. The replacement ends with the next choice. */
  readonly chosen: ModelChoice
  /** `provider/model: reason` of the model it replaced. */
  readonly from: string
}

export interface FallbackAsking extends AskOptions {
  /** The conversation's choice. */
  readonly chosen: ModelChoice
  readonly compose: (choice: ModelChoice) => Request
  /** Gets the models, as `provider/model`, whose servers refuse the form of the answer. Default: a refusal is an error. */
  readonly formless?: Set<string>
}

/** Tracks the models that one turn has given up, and the model that continues it. */
export class Fallback {
  readonly #candidates: readonly Candidate[]
  readonly #tried = new Set<string>()
  #replacement: Replacement | undefined

  constructor(candidates: readonly Candidate[]) {
    this.#candidates = candidates
  }

  /** Returns the model that replaces `chosen`, else `chosen` itself. */
  choiceFor(chosen: ModelChoice): ModelChoice {
    if (this.#replacement?.chosen !== chosen) this.#replacement = undefined
    return this.#replacement?.choice ?? chosen
  }

  hasTried({ name }: Candidate): boolean {
    return this.#tried.has(name)
  }

  /**
   * Asks a model. If it is overloaded, out of quota or unreachable, the next able candidate continues for the rest of the turn, and
   * the reply's `fallback_from` names the replaced model. If all fail, returns the first error with the others added to it.
   */
  async *ask(
    choice: ModelChoice,
    asking: FallbackAsking,
  ): AsyncGenerator<TurnStep, AttemptedReply, undefined> {
    const { chosen, compose, signal } = asking
    let asked = choice
    let reply = yield* askInForm(asked.provider, compose(asked), asking)
    const first = reply.error
    if (first === undefined || !retryable[first.code]) return this.#withNote(reply)
    this.#tried.add(modelName(asked))
    const others: string[] = []
    while (reply.error !== undefined && !signal.aborted) {
      const next = await this.#next(asked, compose(asked), others)
      if (next === undefined) return { ...this.#withNote(reply), error: withOthers(first, others) }
      const [from, to, reason] = [modelName(asked), modelName(next), reply.error.message]
      yield { type: 'fallback', from, to, reason, discarded: [...reply.shown] }
      this.#replacement = { choice: next, chosen, from: `${from}: ${reason}` }
      asked = next
      reply = yield* askInForm(asked.provider, compose(asked), asking)
      if (reply.error !== undefined) others.push(`${to}: ${reply.error.message}`)
    }
    return this.#withNote(reply)
  }

  /** Opens the next able candidate. Adds those that fail to open to `failures`. */
  async #next(asked: ModelChoice, request: Request, failures: string[]): Promise<ModelChoice | undefined> {
    const need = needsOf(request)
    for (const candidate of this.#candidates) {
      if (this.hasTried(candidate) || lacksOf(candidate.info, need).length > 0) continue
      this.#tried.add(candidate.name)
      const opened = await openCandidate(candidate, asked)
      if (!isPipeError(opened)) return opened
      failures.push(`${candidate.name}: ${opened.message}`)
    }
    return undefined
  }

  #withNote(reply: AttemptedReply): AttemptedReply {
    if (this.#replacement === undefined) return reply
    return { ...reply, message: annotated(reply.message, { fallback_from: this.#replacement.from }) }
  }
}

function withOthers(first: PipeError, others: readonly string[]): PipeError {
  if (others.length === 0) return first
  return new PipeError(first.code, `${first.message}; no other model could answer (${others.join('; ')})`, {
    cause: first,
    details: first.details,
  })
}
