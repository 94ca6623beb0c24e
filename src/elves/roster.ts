import { ownAgent } from '../actor.ts'
import type { Elf, ElfFact, ElfNews, ElvesAtWork } from '../elf.ts'
import { isPipeError, PipeError, untilAborted } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { InteractionId } from '../id.ts'
import type { InteractionResponse } from '../interaction.ts'
import { isShutdown, ShutdownReason } from '../machine/shutdown-reason.ts'
import type { UserMessage } from '../message.ts'
import { errorResult, type ToolContext, type ToolResult, type ToolRun, textResult } from '../tool.ts'
import { NewsQueue } from './elf-news.ts'
import { ElfQuestions } from './elf-questions.ts'
import { textOfResult } from './elf-result.ts'

interface Entry {
  readonly stop: AbortController
  elf?: Elf
  compose?: (text: string) => UserMessage
  /** The work of an elf in the background. */
  work?: Promise<ToolResult>
  /** The result of the work. */
  result?: ToolResult
  /** Calls that wait for the result and give it to the parent's model. */
  waiting: number
}

export interface RosterOptions {
  /** As `ElvesOptions.told`. */
  readonly told: (fact: ElfFact) => AgentEvent | undefined
  /** Makes a text a message for the parent's model. */
  readonly report: (text: string) => UserMessage
  /** The highest number among the names of earlier elves. */
  readonly named: number
}

/** The work of an elf in the background. */
export interface Adopted {
  readonly name: string
  readonly run: (context: ToolContext) => ToolRun
  /** Whether it begins at once, so that its call waits for the beginning. */
  readonly begins: boolean
}

/** The elves of one conversation that are at work, by their names. Owns those in the background. */
export class ElfRoster implements ElvesAtWork {
  readonly #options: RosterOptions
  readonly #entries = new Map<string, Entry>()
  readonly #questions = new ElfQuestions()
  readonly #news = new NewsQueue()
  #last: number

  constructor(options: RosterOptions) {
    this.#options = options
    this.#last = options.named
  }

  /** Enters an elf: by the name that it had in an earlier run, else by a new one, which it returns. */
  add(earlier?: string): string {
    const name = earlier ?? `e${this.#last + 1}`
    this.#last = Math.max(this.#last, numberOf(name))
    this.#entries.set(name, { stop: new AbortController(), waiting: 0 })
    return name
  }

  /** Returns the context of a call that `stop` also ends. */
  stoppable(name: string, context: ToolContext): ToolContext {
    const { stop } = this.#entry(name)
    return { ...context, signal: AbortSignal.any([context.signal, stop.signal]) }
  }

  started(name: string, elf: Elf, compose: (text: string) => UserMessage): void {
    Object.assign(this.#entry(name), { elf, compose })
  }

  /** Forgets an elf, unless its result in the background waits to be taken. */
  ended(name: string): void {
    if (this.#entries.get(name)?.work === undefined) this.#entries.delete(name)
  }

  get isBusy(): boolean {
    return this.#news.isFilled || [...this.#entries.values()].some(({ work }) => work !== undefined)
  }

  async next(signal: AbortSignal): Promise<ElfNews> {
    for (;;) {
      const news = await this.#news.take(signal)
      if (news.type === 'event' || news.type === 'question') return news
      if (news.type === 'ended') {
        const { result } = this.#entries.get(news.name) ?? {}
        this.#entries.delete(news.name)
        const text = `[The elf ${news.name} has ended in the background.]\n\n${result && textOfResult(result)}`
        if (result !== undefined) return { type: 'report', message: this.#options.report(text) }
      } else {
        const event = this.#options.told(news)
        if (event !== undefined) return { type: 'event', event }
      }
    }
  }

  respond(response: InteractionResponse): void {
    this.#questions.respond(response)
  }

  stop(name: string): boolean {
    const entry = this.#entries.get(name)
    if (entry === undefined || entry.result !== undefined) return false
    entry.stop.abort()
    return true
  }

  /** Runs an elf in the background. */
  async *adopt({ name, run, begins }: Adopted, context: ToolContext): ToolRun {
    const entry = this.#entry(name)
    const steps = run({ ...context, signal: entry.stop.signal })
    if (begins) {
      // Until it has begun, whatever stops the parent's call stops it too.
      const stop = () => entry.stop.abort(context.signal.reason)
      context.signal.addEventListener('abort', stop, { once: true })
      const first = await steps.next()
      context.signal.removeEventListener('abort', stop)
      if (first.done === true) return first.value
      try {
        yield first.value
      } finally {
        // An elf that has begun is owned here, whatever becomes of its call.
        this.#own(name, entry, steps)
      }
    } else this.#own(name, entry, steps)
    const when = begins ? 'works in the background' : 'works in the background once another elf has ended'
    return textResult(`${name} ${when}. Its result arrives by itself; wait for it only if you need it now.`, {
      elf: name,
    })
  }

  /** Waits for elves in the background: this one, or all. */
  async wait(name: string | undefined, signal: AbortSignal): Promise<ToolResult> {
    const all = [...this.#entries].filter(([id, { work }]) => work !== undefined && (name ?? id) === id)
    if (all.length === 0)
      return errorResult(
        name === undefined ? `no elf is running in the background; ${byItself}` : absent(name),
      )
    for (const [, entry] of all) entry.waiting++
    try {
      const works = all.flatMap(([, { work }]) => (work === undefined ? [] : [work]))
      const results = await untilAborted(Promise.all(works), signal)
      for (const [id] of all) this.#take(id)
      const [first, ...others] = results
      return first !== undefined && others.length === 0
        ? first
        : textResult(results.map(textOfResult).join('\n\n'))
    } finally {
      for (const [id, entry] of all) {
        entry.waiting--
        this.#reportOf(id, entry)
      }
    }
  }

  /** Steers an elf: it gets the text with its next request. */
  send(name: string, text: string): ToolResult {
    const { elf, compose } = this.#entries.get(name) ?? {}
    // One that has ended may still wait for an answer about its changes.
    if (elf === undefined || compose === undefined || elf.isOver) return errorResult(absent(name))
    elf.send({ type: 'steer', message: compose(text) })
    return textResult(`${name} gets it with its next request`)
  }

  /** Ends all elves, and resolves when they have ended. Their questions wait for whoever opens their sessions. */
  async close(): Promise<void> {
    const works = [...this.#entries.values()].map(({ work }) => work)
    for (const { stop } of this.#entries.values())
      stop.abort(new ShutdownReason('the conversation is closed'))
    await Promise.allSettled(works)
    for (const news of this.#news.drain())
      if (news.type !== 'event' && news.type !== 'question' && news.type !== 'ended') this.#options.told(news)
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new PipeError('internal', `there is no elf ${name}`)
    return entry
  }

  #own(name: string, entry: Entry, steps: ToolRun): void {
    const work = this.#carryOut(steps, entry.stop.signal).catch(failed)
    entry.work = work.then((result) => {
      entry.result = result
      this.#reportOf(name, entry)
      return result
    })
  }

  async #carryOut(steps: ToolRun, signal: AbortSignal): Promise<ToolResult> {
    let answer: InteractionResponse | undefined
    /** Answers that no event of the elf has told: it asks about its changes once it has ended. */
    const untold = new Map<InteractionId, InteractionResponse>()
    try {
      for (;;) {
        const step = await steps.next(answer)
        if (step.done === true) return step.value
        answer = undefined
        const output = step.value
        if (output.type === 'agent') {
          const { event } = output
          this.#news.add({ type: 'event', event })
          if (event.type === 'interaction_responded') untold.delete(event.response.interactionId)
        } else if (output.type === 'elf_start' || output.type === 'elf_end') this.#news.add(output)
        else if (output.type === 'interaction') {
          const { interaction } = output
          const { id: interactionId } = interaction
          this.#news.add({ type: 'question', interaction })
          answer = await this.#questions.open(interaction, signal)
          untold.set(interactionId, answer ?? { interactionId, answeredBy: ownAgent, cancelled: true })
        }
      }
    } finally {
      // At a shutdown the questions stay open: whoever opens the session of the elf next can answer them.
      const over = isShutdown(signal) ? [] : untold.values()
      for (const response of over) this.#news.add({ type: 'interaction_responded', response })
    }
  }

  /** Reports the result of an elf that has ended, unless a call waits for it or took it. */
  #reportOf(name: string, entry: Entry): void {
    if (entry.result === undefined || entry.waiting > 0 || this.#entries.get(name) !== entry) return
    this.#news.add({ type: 'ended', name })
  }

  #take(name: string): void {
    this.#entries.delete(name)
    this.#news.forget(name)
  }
}

function numberOf(name: string): number {
  return Number(/^e(\d{1,9})$/.exec(name)?.[1] ?? 0)
}

const byItself = 'the result of one that has ended arrives by itself'

/** Tells the model that no elf of this name is at work. */
export function absent(name: string): string {
  return `no elf ${name.slice(0, 64)} is at work; ${byItself}`
}

function failed(error: unknown): ToolResult {
  if (!isPipeError(error)) throw error
  return errorResult(`It could not work: ${error.message}`)
}
