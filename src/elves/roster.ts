import type { Elf, ElfEnd, ElfNews, ElvesAtWork } from '../elf.ts'
import { isPipeError, PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { InteractionId } from '../id.ts'
import { type Interaction, type InteractionResponse, validateResponse } from '../interaction.ts'
import { Leaving } from '../leaving.ts'
import type { UserMessage } from '../message.ts'
import { errorResult, type ToolContext, type ToolResult, type ToolRun, textResult } from '../tool.ts'
import { NewsQueue } from './news.ts'
import { textOf } from './result.ts'

interface Entry {
  readonly stop: AbortController
  elf?: Elf
  compose?: (text: string) => UserMessage
  /** The work of an elf in the background. */
  work?: Promise<ToolResult>
  /** Whether its result was given to the parent's model by a call. */
  isTaken?: boolean
}

interface Question {
  readonly interaction: Interaction
  readonly settle: (response: InteractionResponse | undefined) => void
}

/** The elves of one conversation that are at work, by their names. Owns those in the background. */
export class ElfRoster implements ElvesAtWork {
  readonly #told: (end: ElfEnd) => AgentEvent
  readonly #entries = new Map<string, Entry>()
  readonly #questions = new Map<InteractionId, Question>()
  readonly #news = new NewsQueue()
  #count = 0

  /** `told`: makes the end of an elf an event of the parent. */
  constructor(told: (end: ElfEnd) => AgentEvent) {
    this.#told = told
  }

  /** Names a new elf. */
  add(): string {
    this.#count++
    const name = `e${this.#count}`
    this.#entries.set(name, { stop: new AbortController() })
    return name
  }

  /** Returns the context of a call that `stop` also ends. */
  stoppable(name: string, context: ToolContext): ToolContext {
    return { ...context, signal: AbortSignal.any([context.signal, this.#entry(name).stop.signal]) }
  }

  begun(name: string, elf: Elf, compose: (text: string) => UserMessage): void {
    Object.assign(this.#entry(name), { elf, compose })
  }

  /** Forgets an elf, unless a result in the background waits to be taken. */
  ended(name: string): void {
    if (this.#entries.get(name)?.work === undefined) this.#entries.delete(name)
  }

  get isBusy(): boolean {
    return this.#news.isFilled || [...this.#entries.values()].some(({ work }) => work !== undefined)
  }

  async next(signal: AbortSignal): Promise<ElfNews> {
    const news = await this.#news.take(signal)
    return news.type === 'elf_end' ? { type: 'event', event: this.#told(news) } : news
  }

  respond(response: InteractionResponse): void {
    const question = this.#questions.get(response.interactionId)
    if (question === undefined) throw new PipeError('not_found', `no elf asks ${response.interactionId}`)
    validateResponse(question.interaction, response)
    this.#questions.delete(response.interactionId)
    question.settle(response)
  }

  stop(name: string): boolean {
    const entry = this.#entries.get(name)
    entry?.stop.abort()
    return entry !== undefined
  }

  /** Runs an elf in the background. Returns once it has begun. */
  async *adopt(name: string, run: (context: ToolContext) => ToolRun, context: ToolContext): ToolRun {
    const entry = this.#entry(name)
    const { signal } = entry.stop
    const steps = run({ ...context, signal })
    // Until it has begun, whatever stops the parent's call stops it too.
    const stop = () => entry.stop.abort(context.signal.reason)
    context.signal.addEventListener('abort', stop, { once: true })
    const first = await steps.next()
    context.signal.removeEventListener('abort', stop)
    if (first.done === true) {
      this.#entries.delete(name)
      return first.value
    }
    entry.work = this.#carryOut(steps, signal)
    void this.#report(name, entry.work)
    yield first.value
    return textResult(
      `${name} works in the background. Its result arrives by itself; wait for it only if you need it now.`,
    )
  }

  /** Waits for elves in the background: this one, or all. */
  async wait(name: string | undefined, signal: AbortSignal): Promise<ToolResult> {
    const all = [...this.#entries].filter(([id, { work }]) => work !== undefined && (name ?? id) === id)
    if (all.length === 0)
      return errorResult(name === undefined ? 'no elf works in the background' : notAtWork(name))
    const results = await whileWaiting(Promise.all(all.map(([, { work }]) => work)), signal)
    for (const [id, entry] of all) {
      entry.isTaken = true
      this.#entries.delete(id)
    }
    const whole = results.filter((result) => result !== undefined)
    if (whole.length === 1 && whole[0] !== undefined) return whole[0]
    return textResult(whole.map(textOf).join('\n\n'))
  }

  /** Steers an elf: it gets the text with its next request. */
  send(name: string, text: string): ToolResult {
    const { elf, compose } = this.#entries.get(name) ?? {}
    if (elf === undefined || compose === undefined) return errorResult(notAtWork(name))
    elf.send({ type: 'steer', message: compose(text) })
    return textResult(`${name} gets it with its next request`)
  }

  /** Ends all elves, and resolves when they have ended. Questions wait for whoever opens their sessions. */
  async close(): Promise<void> {
    const works = [...this.#entries.values()].map(({ work }) => work)
    for (const { stop } of this.#entries.values()) stop.abort(new Leaving('the conversation is closed'))
    for (const { settle } of this.#questions.values()) settle(undefined)
    await Promise.allSettled(works)
    for (const news of this.#news.drain()) if (news.type === 'elf_end') this.#told(news)
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new PipeError('internal', `there is no elf ${name}`)
    return entry
  }

  async #carryOut(steps: ToolRun, signal: AbortSignal): Promise<ToolResult> {
    let answer: InteractionResponse | undefined
    for (;;) {
      const step = await steps.next(answer)
      if (step.done === true) return step.value
      answer = undefined
      const output = step.value
      if (output.type === 'agent') this.#news.add({ type: 'event', event: output.event })
      else if (output.type === 'elf_end') this.#news.add(output)
      else if (output.type === 'interaction') answer = await this.#ask(output.interaction, signal)
    }
  }

  #ask(interaction: Interaction, signal: AbortSignal): Promise<InteractionResponse | undefined> {
    return new Promise((settle) => {
      if (signal.aborted) return settle(undefined)
      this.#questions.set(interaction.id, { interaction, settle })
      const cancel = () => {
        this.#questions.delete(interaction.id)
        settle(undefined)
      }
      signal.addEventListener('abort', cancel, { once: true })
      this.#news.add({ type: 'question', interaction })
    })
  }

  /** Reports the result of an elf unless a call takes it. Never rejects. */
  async #report(name: string, work: Promise<ToolResult>): Promise<void> {
    const result = await work.catch(failed)
    const entry = this.#entries.get(name)
    if (entry === undefined || entry.isTaken === true) return
    this.#entries.delete(name)
    this.#news.add({
      type: 'report',
      text: `[The elf ${name} has ended in the background.]\n\n${textOf(result)}`,
    })
  }
}

function notAtWork(name: string): string {
  return `no elf ${name.slice(0, 64)} is at work`
}

function failed(error: unknown): ToolResult {
  if (!isPipeError(error)) throw error
  return errorResult(`It could not work: ${error.message}`)
}

/** Resolves with the promise, or throws `aborted` as soon as the signal fires. */
function whileWaiting<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new PipeError('aborted', 'interrupted', { cause: signal.reason }))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
