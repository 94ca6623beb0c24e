import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Clock } from '../clock.ts'
import type { Answer, AnswerQuestion } from '../conversation.ts'
import type { Interaction } from '../interaction.ts'

/** Holds the state of a call: its result, or a question that it waits for. */
export type ClientCallStep =
  | { readonly type: 'result'; readonly result: CallToolResult }
  | { readonly type: 'question'; readonly question: Interaction }

export interface CallWork {
  readonly signal: AbortSignal
  /** Puts a question to the client. */
  readonly ask: AnswerQuestion
  /** Tells the client how far the call is. */
  readonly tell: (message: string) => void
}

export interface ClientCallOptions {
  /** Names the call to its client. Nobody can guess it. */
  readonly key: string
  readonly clock: Pick<Clock, 'after'>
}

interface Asked {
  readonly question: Interaction
  readonly answer: (answer: Answer) => void
}

/** Milliseconds that a call waits for the client's next request, which brings the answer. */
const answerMs = 10 * 60_000

/**
 * A call that a client has made and that goes on while the client answers its questions: in one request, or in a request for each answer.
 */
export class ClientCall {
  readonly key: string
  /** Takes what is told, with its number. Each request of the client sets its own. */
  onNews: (message: string, count: number) => void = () => undefined
  readonly #clock: Pick<Clock, 'after'>
  readonly #stop = new AbortController()
  readonly #asked: Asked[] = []
  readonly #result: Promise<ClientCallStep>
  #told = 0
  #wake: () => void = () => undefined
  #stopWaiting: () => void = () => undefined

  constructor({ key, clock }: ClientCallOptions, work: (work: CallWork) => Promise<CallToolResult>) {
    this.key = key
    this.#clock = clock
    const { signal } = this.#stop
    const tell = (message: string) => {
      this.#told += 1
      this.onNews(message, this.#told)
    }
    this.#result = work({ signal, tell, ask: (question, options) => this.#ask(question, options) }).then(
      (result) => ({ type: 'result', result }),
    )
    // Whoever waits for the next step gets the error. Nobody does once the client is gone.
    this.#result.catch(() => undefined)
  }

  /** Resolves when it has ended, well or not. */
  get ended(): Promise<void> {
    const over = () => undefined
    return this.#result.then(over, over)
  }

  /** Waits for the result or a question. Throws what the work throws. */
  next(): Promise<ClientCallStep> {
    const [asked] = this.#asked
    if (asked !== undefined) return Promise.resolve({ type: 'question', question: asked.question })
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return Promise.race([this.#result, woken.then(() => this.next())])
  }

  /** Answers the question that it waits for; `undefined` leaves it open. Does nothing without one. */
  answer(read: (question: Interaction) => Answer | undefined): void {
    const [asked] = this.#asked
    const answer = asked && read(asked.question)
    if (asked === undefined || answer === undefined) return
    this.#stopWaiting()
    this.#asked.shift()
    asked.answer(answer)
  }

  /** Ends the call unless the client comes back with an answer in time. */
  awaitClient(): void {
    this.#stopWaiting()
    this.#stopWaiting = this.#clock.after(answerMs, () => this.abort())
  }

  abort(): void {
    this.#stopWaiting()
    this.#stop.abort()
  }

  #ask(question: Interaction, { signal }: { readonly signal: AbortSignal }): Promise<Answer> {
    return new Promise((resolve) => {
      const asked = { question, answer: resolve }
      const withdraw = () => {
        const at = this.#asked.indexOf(asked)
        if (at >= 0) this.#asked.splice(at, 1)
        resolve({ cancelled: true })
      }
      if (signal.aborted) return withdraw()
      signal.addEventListener('abort', withdraw, { once: true })
      this.#asked.push(asked)
      this.#wake()
    })
  }
}
