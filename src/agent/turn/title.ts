import type { ModelChoice, Turn } from '../../engine.ts'
import { isPipeError } from '../../error.ts'
import { cleanTitle } from '../../history/title-text.ts'
import { type Message, spokenText, textContent } from '../../message.ts'
import type { Redact } from '../../redaction/redaction.ts'
import type { Agent } from '../agent.ts'
import { excerpt } from '../compaction/excerpt.ts'
import { askAside, isWholeAnswer } from '../request/side-request.ts'
import titlePrompt from './title.md'

export interface Naming {
  /** Opens the model that names a new session after its first turn. Default: the session keeps the user's first words. */
  readonly model?: (() => Promise<ModelChoice>) | undefined
  /** Removes secrets from titles. */
  readonly redact: Redact
}

/** Maximum characters of the user's and of the model's words in the request. */
const saidLength = 2_000
/** Maximum tokens of the reply: some models think even if they are asked not to. */
const replyTokens = 2_000

/** Asks a model to name a session, once and in the background. */
export class Titling {
  readonly #agent: Agent
  readonly #naming: Naming
  readonly #closing = new AbortController()
  #isOver = false

  constructor(agent: Agent, naming: Naming) {
    this.#agent = agent
    this.#naming = naming
  }

  /** Begins after the first turn that ended well. Nobody waits for the title, and a failure is not reported. */
  after({ messages, error, stopReason }: Turn): void {
    const { model } = this.#naming
    if (this.#isOver || model === undefined || error !== undefined || stopReason === 'aborted') return
    this.#isOver = true
    this.#name(messages, model).catch(throwBug)
  }

  /** Ends the request without waiting for it. No title is saved from here on. */
  close(): void {
    this.#isOver = true
    this.#closing.abort()
  }

  async #name(messages: readonly Message[], open: () => Promise<ModelChoice>): Promise<void> {
    const { signal } = this.#closing
    const choice = await open()
    if (signal.aborted) return
    const said = await this.#ask(describe(messages), choice)
    if (!signal.aborted)
      await this.#agent.history.saveTitle(cleanTitle(this.#naming.redact(bare(said))) || undefined)
  }

  /** Returns an empty text if the model fails: a title is not worth a second try. */
  async #ask(text: string, choice: ModelChoice): Promise<string> {
    const { budget, clock, random, newId, latency } = this.#agent
    budget.requireLeft(choice)
    const { signal } = this.#closing
    const maxTokens = budget.replyLimit(replyTokens, choice.info)
    const asked = askAside(
      { systemPrompt: titlePrompt, text, maxTokens },
      { choice, clock, random, newId, spent: budget.spent, signal, latency },
    )
    const step = await asked.next()
    if (step.done !== true) return ''
    const { message, error } = step.value
    return error === undefined && isWholeAnswer(message) ? textContent(message) : ''
  }
}

/** Formats what the user asked and what the model said in the end. */
function describe(messages: readonly Message[]): string {
  const [asked, answered] = [messages.find(isUser), messages.findLast(isReply)]
  const parts = [
    `<person>\n${excerpt(asked === undefined ? '' : spokenText(asked), saidLength)}\n</person>`,
    `<agent>\n${excerpt(textContent(answered ?? { content: [] }), saidLength)}\n</agent>`,
  ]
  return `${parts.join('\n')}\n\nName it.`
}

function isUser({ type }: Message): boolean {
  return type === 'user'
}

function isReply({ type }: Message): boolean {
  return type === 'assistant'
}

/** Returns the first line of a reply without the marks that models put around a title. */
function bare(reply: string): string {
  const [line = ''] = reply.trim().split('\n', 1)
  return line.replace(
    /^(?:title:|[\s#*_`"'\u201c\u201d\u00ab\u00bb])+|[\s*_`"'\u201c\u201d\u00ab\u00bb.]+$/gi,
    '',
  )
}

function throwBug(error: unknown): void {
  if (!isPipeError(error)) throw error
}
