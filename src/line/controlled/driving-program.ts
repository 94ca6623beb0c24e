import { PipeError } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'

interface Asked {
  readonly request: JsonObject
  readonly resolve: (answer: JsonObject) => void
  readonly reject: (error: PipeError) => void
}

export interface DrivingProgramOptions {
  /** Writes a line. */
  readonly write: (line: JsonObject) => void
  /** Creates the ids of requests. */
  readonly newId: () => string
}

/** The program at the other end of stdin and stdout: what pipe asks it, and answers it. */
export class DrivingProgram {
  readonly #options: DrivingProgramOptions
  readonly #asked = new Map<string, Asked>()
  #isGone = false

  constructor(options: DrivingProgramOptions) {
    this.#options = options
  }

  /** Asks the program. Throws `aborted` once the signal fires or the program sends no more, and `tool` if it refuses. */
  async ask(request: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (this.#isGone || signal.aborted) throw gone()
    const { write, newId } = this.#options
    const id = newId()
    const withdraw = () => {
      write({ type: 'control_cancel_request', request_id: id })
      this.#take(id)?.reject(gone())
    }
    const answer = new Promise<JsonObject>((resolve, reject) =>
      this.#asked.set(id, { request, resolve, reject }),
    )
    signal.addEventListener('abort', withdraw, { once: true })
    try {
      write({ type: 'control_request', request_id: id, request })
      return await answer
    } finally {
      this.#asked.delete(id)
      signal.removeEventListener('abort', withdraw)
    }
  }

  /** Takes the answer to a request. One that nobody waits for any more has no effect. */
  answered(id: string, answer: JsonObject): void {
    this.#take(id)?.resolve(answer)
  }

  refused(id: string, reason: string): void {
    this.#take(id)?.reject(new PipeError('tool', `the program that drives pipe refused: ${reason}`))
  }

  /** Answers a request of the program. */
  reply(id: string, response: JsonObject, more: JsonObject = {}): void {
    this.#options.write({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response, ...more },
    })
  }

  /** Lists the questions about permissions that it has yet to answer, for a program that lost its place. */
  openQuestions(): readonly JsonObject[] {
    return [...this.#asked]
      .filter(([, { request }]) => request['subtype'] === 'can_use_tool')
      .map(([id, { request }]) => ({ type: 'control_request', request_id: id, request }))
  }

  /** Answers with an error. Without an id it is about a line that is no request. */
  complain(id: string, error: string): void {
    this.#options.write({ type: 'control_response', response: { subtype: 'error', request_id: id, error } })
  }

  /** Nothing more comes from the program, so that nothing it was asked is answered. */
  leave(): void {
    this.#isGone = true
    for (const { reject } of this.#asked.values()) reject(gone())
    this.#asked.clear()
  }

  #take(id: string): Asked | undefined {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    return asked
  }
}

function gone(): PipeError {
  return new PipeError('aborted', 'the program that drives pipe no longer answers')
}
