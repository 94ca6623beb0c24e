import type { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { StringBuilder } from '../reply/string-builder.ts'
import type { CheckVerdict } from '../turn-hooks.ts'
import { noUsage, type StopReason, type Usage } from '../usage.ts'
import { encodeCost, encodeUsage } from '../wire/message-json.ts'
import type { PickedAnswer } from './answer/answer-form.ts'
import type { Outcome } from './outcome.ts'

interface StartedCall {
  readonly name: string
  readonly arguments: JsonValue
}

export interface ResultSpending {
  readonly usage: Usage
  /** US dollars. Absent if no price is known. */
  readonly costUsd: number | undefined
}

/** Collects a run's result from its events. */
export class RunResult {
  /** The answer: text of the last round without calls. */
  answer = ''
  /** Whether pipe itself answered. */
  isReport = false
  model = ''
  turns = 0
  rounds = 0
  /** The sum of all rounds, without any server's `raw` object. */
  usage: Usage = noUsage
  stopReason: StopReason = 'unknown'
  /** US dollars. `undefined` if no price is known. */
  costUsd: number | undefined
  /** The latest text, with or without calls. */
  #last = new StringBuilder()
  readonly denials: JsonObject[] = []
  readonly #calls = new Map<string, StartedCall>()
  #text = new StringBuilder()
  #called = false
  /** The part of the answer to print, if a form is asked for. */
  #picked: PickedAnswer | undefined
  check: CheckVerdict | undefined
  /** The changes of a run on a copy, as a unified diff. */
  patch: string | undefined
  /** Makes the envelope for the next pipe from the JSON of the run. */
  envelope: ((json: JsonObject) => string) | undefined
  /** Whether an elf worked in the background, and the run took several turns. */
  #isSpread = false

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'round_start':
        this.model = `${event.provider}/${event.model}`
        this.#text = new StringBuilder()
        this.#called = false
        return
      case 'text_delta':
        this.#text.add(event.delta)
        this.#last = this.#text
        return
      case 'tool_call_begin':
        this.#called = true
        return
      case 'retry':
      case 'fallback':
        this.#text = new StringBuilder()
        this.#called = false
        return
      case 'round_end':
        this.answer = isAnswer(event.stopReason) && !this.#called ? this.#text.toString() : ''
        return
      case 'tool_start':
        this.#calls.set(event.callId, { name: event.name, arguments: event.arguments })
        return
      case 'tool_end':
        this.#noteDenial(event.callId, event.details)
        return
      case 'elf_start':
        this.#isSpread ||= event.isBackground === true
        return
      case 'turn_end':
        this.turns += 1
        this.rounds += event.rounds
        this.usage = event.usage
        this.costUsd = event.costUsd
        this.stopReason = event.stopReason
        return
      default:
        return
    }
  }

  /** Takes an answer that no model gave. */
  say(answer: string): void {
    this.isReport = true
    this.answer = answer
    this.stopReason = 'end_turn'
  }

  /** Takes the spending of the whole run, if elves in the background spent some outside of its turns. */
  settle({ usage, costUsd }: ResultSpending): void {
    if (!this.#isSpread) return
    this.usage = usage
    this.costUsd = costUsd
  }

  /** Takes the part of the answer that the run prints, and with it nothing else. */
  pick(picked: PickedAnswer): void {
    this.#picked = picked
  }

  /** Returns the answer, or the partial text of a run that a limit ended. */
  text({ error }: Outcome): string {
    if (this.#picked !== undefined) return this.#picked.text
    return error?.code === 'budget' || error?.code === 'turn_limit' ? this.#soFar() : this.answer
  }

  #soFar(): string {
    return this.answer || this.#last.toString()
  }

  /** The object of `-o json` and the last line of `stream-json`. Includes the partial answer of an interrupted run. */
  toJson(
    outcome: Outcome,
    about: { readonly sessionId: string | undefined; readonly durationMs: number },
  ): JsonObject {
    const { exitCode, error } = outcome
    return {
      type: 'result',
      is_error: exitCode !== 0 && this.#picked?.isNo !== true,
      exit_code: exitCode,
      stop_reason: this.stopReason,
      result: error?.code === 'aborted' ? this.#soFar() : this.text(outcome),
      ...omitUndefined({
        structured_output: this.#picked?.value,
        check: this.check && encodeVerdict(this.check),
        patch: this.patch,
        session_id: about.sessionId,
      }),
      turns: this.turns,
      rounds: this.rounds,
      usage: encodeUsage(this.usage),
      ...encodeCost(this.costUsd),
      model: this.model,
      duration_ms: about.durationMs,
      permission_denials: [...this.denials, ...this.#stopping(error)],
      ...(error === undefined
        ? {}
        : { error: { code: error.code, message: error.message, details: error.details } }),
    }
  }

  /** Notes a call that was refused together with its turn, which ends before the call does. */
  addDenial(callId: string, reason: JsonValue): void {
    const call = this.#calls.get(callId)
    this.#calls.delete(callId)
    if (call !== undefined) this.denials.push(encodeDenial(callId, call, reason))
  }

  #noteDenial(callId: string, details: JsonValue | undefined): void {
    if (isJsonObject(details) && details['permission'] === 'denied')
      this.addDenial(callId, details['reason'] ?? null)
    this.#calls.delete(callId)
  }

  /** Returns the call that stopped the run for lack of permission. It has no end event. */
  #stopping(error: PipeError | undefined): readonly JsonObject[] {
    const { call_id: callId = '', reason = '' } = error?.code === 'permission' ? error.details : {}
    const call = this.#calls.get(callId)
    return call === undefined ? [] : [encodeDenial(callId, call, reason)]
  }
}

function encodeVerdict({ changedFiles, ...verdict }: CheckVerdict): JsonObject {
  return { ...verdict, ...(changedFiles.length > 0 && { changed_files: changedFiles }) }
}

function encodeDenial(callId: string, call: StartedCall, reason: JsonValue): JsonObject {
  return { call_id: callId, name: call.name, arguments: call.arguments, reason }
}

/** Whether a reply counts as an answer. One cut by an error or abort does not; one at the length limit does. */
function isAnswer(stopReason: StopReason): boolean {
  return stopReason !== 'error' && stopReason !== 'aborted'
}
