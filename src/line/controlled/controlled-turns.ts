import { localUser } from '../../actor.ts'
import type { TurnStart } from '../../agent/conversation/follow-turns.ts'
import { WatchedQuestions } from '../../agent/conversation/watched-questions.ts'
import type { Clock } from '../../clock.ts'
import { type Answer, bugOf, type Ending, type LocalConversation, type Watched } from '../../conversation.ts'
import { isPipeError, type PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { EndingSignal } from '../../frontend/ending-signal.ts'
import type { ReportCall } from '../../frontend/slash/report-call.ts'
import type { MessageId } from '../../id.ts'
import type { Interaction } from '../../interaction.ts'
import type { Output } from '../../terminal/output.ts'
import type { AnswerForm } from '../answer/answer-form.ts'
import { inForm } from '../answer/picked-outcome.ts'
import { warnOfLoss } from '../notices.ts'
import { judgeFailure, judgeTurn, type Outcome } from '../outcome.ts'
import type { Reporter, RunHeader } from '../reporter.ts'
import { RunResult } from '../run-result.ts'
import type { DrivingProgram } from './driving-program.ts'
import type { SentMessage } from './frame.ts'
import { QuestionedCalls } from './questioned-calls.ts'
import type { Controls } from './requests.ts'
import { askPermission, type ToolWords } from './tool-permission.ts'
import { UnsentMessages } from './unsent-messages.ts'
import { askUser } from './user-question.ts'

/** An open conversation, and what a program may ask of it. */
export interface ControlledConversation {
  readonly conversation: LocalConversation
  readonly header: RunHeader
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
  readonly controls: Omit<Controls, 'conversation' | 'waiting' | 'idOf' | 'withdraw' | 'interrupt'>
  /** Default: any answer, printed whole. */
  readonly form?: AnswerForm | undefined
  /** Composes a message, or reads a command. Throws `input`, `tool`, `aborted`. */
  compose(sent: SentMessage, signal: AbortSignal): Promise<TurnStart | ReportCall>
  close(): Promise<void>
}

/** The two ends of a run that a program drives. */
export interface ControlledParts {
  readonly program: DrivingProgram
  readonly words: ToolWords
  /** Whether the program answers for the user. */
  readonly asksProgram: boolean
  readonly reporter: Reporter
  readonly stderr: Output
  readonly clock: Clock
  readonly interruption: { readonly cause: EndingSignal | undefined }
}

/** The turns of a conversation that a program drives. Sends its messages in order, and reports each turn. */
export class ControlledTurns {
  /** The parts that requests of the program act on. */
  readonly controls: Controls
  readonly #opened: ControlledConversation
  readonly #parts: ControlledParts
  readonly #signal: AbortSignal
  readonly #stop = new AbortController()
  readonly #questions: WatchedQuestions
  readonly #calls = new QuestionedCalls()
  /** Messages that no turn has yet, with the ids that the program gave them. */
  readonly #waiting = new Map<MessageId, string | undefined>()
  readonly #unsent = new UnsentMessages()
  /** Whether a message is being sent. */
  #isSending = false
  /** Work on lines that is not done. */
  readonly #kept = new Set<Promise<void>>()
  #sending: Promise<void> = Promise.resolve()
  /** Settles once a message that was refused waits no more. */
  #withdrawn: Promise<void> = Promise.resolve()
  /** Gathers the turn that runs. */
  #result: RunResult | undefined
  #startedAt: number
  /** A turn runs, or something else that goes on by itself. */
  #isAtWork = false
  #inputEnded = false
  /** The program itself ended the turn. */
  #isInterrupted = false
  #failure: { readonly error: unknown } | undefined
  #outcome: Outcome = { exitCode: 0 }

  constructor(opened: ControlledConversation, parts: ControlledParts, signal: AbortSignal) {
    const { conversation } = opened
    this.#opened = opened
    this.#parts = parts
    this.#signal = signal
    this.#startedAt = parts.clock.monotonic()
    this.#questions = new WatchedQuestions(conversation, (question, { signal: until }) =>
      this.#ask(question, until),
    )
    this.controls = {
      ...opened.controls,
      conversation,
      waiting: (id) => [...this.#waiting].find(([, given]) => given === id)?.[0],
      idOf: (id) => this.#waiting.get(id) ?? id,
      withdraw: async (id) => {
        await conversation.takeBack(id)
        this.#waiting.delete(id)
      },
      interrupt: () => this.#interrupt(),
    }
  }

  /** Sends a message behind those that came before it. */
  send(sent: SentMessage): void {
    this.#sending = this.#sending.then(() => this.#deliver(sent))
    this.keep(this.#sending)
  }

  /** Keeps the run open until some work is done. */
  keep(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#kept.delete(kept)
        this.#endIfDone()
      })
    this.#kept.add(kept)
  }

  /** No more lines come. */
  endInput(): void {
    this.#inputEnded = true
    this.#endIfDone()
  }

  /** Ends the run with this error. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#stop.abort()
  }

  /** Reports what happens until all is done. Returns the outcome of the last turn. */
  async follow(): Promise<Outcome> {
    const { conversation, header } = this.#opened
    const { reporter, interruption } = this.#parts
    const onAbort = () => {
      void conversation.interrupt(this.#signal.reason)
      this.#endIfDone()
    }
    this.#signal.addEventListener('abort', onAbort, { once: true })
    try {
      const watching = conversation.watch({ keepsPace: true, signal: this.#stop.signal })
      if (this.#signal.aborted) onAbort()
      reporter.begin(header)
      for await (const watched of watching) await this.#see(watched)
      if (this.#failure !== undefined) throw this.#failure.error
      const { aborted, reason } = this.#signal
      if (!aborted) return this.#outcome
      const error = isPipeError(reason) ? reason : undefined
      return judgeTurn({ stopReason: 'aborted', error }, interruption.cause)
    } catch (error) {
      await conversation.interrupt()
      throw error
    } finally {
      this.#questions.close()
      this.#signal.removeEventListener('abort', onAbort)
    }
  }

  async #deliver(sent: SentMessage): Promise<void> {
    const { conversation, compose } = this.#opened
    try {
      const message = await compose(sent, this.#signal)
      if (message.type === 'compact') return void (await conversation.compact(message.keep))
      if (message.type === 'report') return this.#addUnsent(message)
      this.#waiting.set(message.id, sent.id)
      this.#isSending = true
      await conversation.send(message, sent.isUrgent ? 'now' : 'later').catch((error: unknown) => {
        this.#waiting.delete(message.id)
        throw error
      })
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (this.#signal.aborted) return
      this.#addUnsent(error)
    } finally {
      this.#isSending = false
    }
  }

  #addUnsent(reason: PipeError | ReportCall): void {
    this.#unsent.add({ reason, after: [...this.#waiting.keys()] })
    this.#reportUnsent()
  }

  async #see(watched: Watched): Promise<void> {
    switch (watched.type) {
      case 'event':
        this.#calls.see(watched.event)
        if (watched.isOwn) await this.#show(watched.event)
        else this.#parts.reporter.elfEvent?.(watched.event)
        break
      case 'ended':
        this.#report(watched.ending)
        this.#reportUnsent()
        break
      case 'settled':
        this.#isAtWork = false
        this.#reportUnsent()
        // A turn that was interrupted or has failed begins no other.
        if (this.#opened.conversation.queue.length > 0 && !this.#signal.aborted)
          this.keep(this.#withdrawn.then(() => this.#opened.conversation.goOn()))
        break
      default:
    }
    this.#questions.see(watched)
    if (this.#questions.failure !== undefined) throw this.#questions.failure.error
    this.#endIfDone()
  }

  #show(event: AgentEvent): void | Promise<void> {
    const { reporter, stderr, clock } = this.#parts
    if (event.type === 'turn_start') {
      this.#isAtWork = true
      this.#result = new RunResult()
      this.#startedAt = clock.monotonic()
    }
    if ((event.type === 'turn_start' || event.type === 'message') && event.message?.type === 'user') {
      this.#waiting.delete(event.message.id)
      warnOfLoss(event.message, { stderr })
    }
    this.#result?.add(event)
    return reporter.event(event)
  }

  #report(ending: Ending): void {
    const bug = bugOf(ending)
    if (bug !== undefined) throw bug
    const judged = judgeTurn(ending, this.#parts.interruption.cause)
    const [begun, isInterrupted] = [this.#result, this.#isInterrupted]
    this.#result = undefined
    this.#isInterrupted = false
    const [first] = this.#opened.conversation.queue
    // The message that is being sent reports itself if it begins no turn.
    if (begun === undefined && first === undefined && this.#isSending) return
    const result = begun ?? new RunResult()
    const outcome = inForm(judged, result, this.#opened.form)
    this.#tell(result, outcome)
    // The program knows that it ended the turn itself.
    this.#outcome = isInterrupted ? { exitCode: 0 } : outcome
    const hasFailed = judged.error !== undefined && judged.error.code !== 'aborted'
    if (begun === undefined && first !== undefined && hasFailed) this.#withdrawRefused(first.id)
  }

  /** Withdraws a message whose turn did not begin: it would be refused again and again. */
  #withdrawRefused(id: MessageId): void {
    this.#withdrawn = this.controls.withdraw(id)
    this.keep(this.#withdrawn)
  }

  /** Reports each message that began no turn as a turn without a round, once those before it are reported. */
  #reportUnsent(): void {
    while (this.#result === undefined) {
      const reason = this.#unsent.take((id) => this.#waiting.has(id))
      if (reason === undefined) return
      const result = new RunResult()
      const isReport = !isPipeError(reason)
      if (isReport) result.say(reason.of(this.#opened.conversation))
      this.#outcome = isReport ? { exitCode: 0 } : judgeFailure(reason, this.#parts.interruption.cause)
      this.#tell(result, this.#outcome)
    }
  }

  #tell(result: RunResult, outcome: Outcome): void {
    const { reporter, clock } = this.#parts
    const durationMs = Math.round(clock.monotonic() - this.#startedAt)
    reporter.end(result, outcome, result.toJson(outcome, { ...this.#opened.header, durationMs }))
  }

  async #ask(question: Interaction, signal: AbortSignal): Promise<Answer> {
    if (!this.#parts.asksProgram) return { cancelled: true }
    const call = this.#calls.of(question)
    const asking = { ...this.#parts, controls: this.controls, signal }
    if (call === undefined || question.purpose !== 'confirm_risky_action')
      return askUser(question, call?.callId ?? '', asking)
    const { interrupts, ...answer } = await askPermission(question, call, asking)
    if (interrupts !== true) return answer
    this.#result?.addDenial(call.callId, answer.comment ?? '')
    await this.#opened.conversation.respond({ answeredBy: localUser, ...answer, interactionId: question.id })
    await this.#interrupt()
    return answer
  }

  async #interrupt(): Promise<void> {
    const { conversation } = this.#opened
    this.#isInterrupted = conversation.isRunning
    await conversation.interrupt()
  }

  #endIfDone(): void {
    const isIdle = !this.#isAtWork && this.#waiting.size === 0
    const isOver = this.#signal.aborted ? !this.#opened.conversation.isRunning : this.#inputEnded && isIdle
    if (isOver && this.#kept.size === 0) this.#stop.abort()
  }
}
