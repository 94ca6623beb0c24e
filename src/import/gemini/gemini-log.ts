import type { JsonObject } from '../../json-value.ts'
import { objects, text } from '../../wire/json-fields.ts'
import { spokenKey } from './content.ts'

/** A message of the log. */
export interface Logged {
  readonly id: string
  /** As last written. */
  record: JsonObject
  before: Logged | undefined
}

/** A list that replaced older messages by a summary. */
export interface Compacted {
  readonly summary: Logged
  /** The first older message that was kept. */
  readonly kept: Logged | undefined
}

/** Replays a log: messages are added, written again, taken back, or replaced by a whole list. Keeps what was taken back as a branch. */
export class GeminiLog {
  /** Each after the one before it, in the order in which they were first written. */
  readonly messages: Logged[] = []
  readonly compactions: Compacted[] = []
  #current: Logged[] = []
  /** By all ids: a list repeats messages under other ones. */
  readonly #byId = new Map<string, Logged>()

  get last(): Logged | undefined {
    return this.#current.at(-1)
  }

  /** Adds a message, or writes it again. */
  write(record: JsonObject): void {
    const message = this.#find(record)
    if (message === undefined) this.#append(record)
    else if (this.#current.lastIndexOf(message) === -1) this.#follow(message, record)
    // A list repeats messages without their tokens and calls.
    else message.record = { ...message.record, ...record }
  }

  /** Takes back a message and all after it; everything if it is unknown. */
  rewindTo(id: string): void {
    const message = this.#find({ id })
    const at = message === undefined ? -1 : this.#current.indexOf(message)
    this.#current = this.#current.slice(0, Math.max(at, 0))
  }

  /** Replaces the conversation. Messages that it repeats stay themselves. */
  replace(records: readonly JsonObject[]): void {
    const at = records.findLastIndex(isSummary)
    const summary = this.#find(records[at] ?? {})
    if (at !== -1 && summary === undefined) {
      this.#compact(records.slice(at))
      return
    }
    // What a summary replaced stays before it.
    this.#current = summary === undefined ? [] : chainTo(summary)
    const placed = new Set(this.#current)
    for (const record of records.slice(at + 1)) {
      const message = this.#find(record)
      if (message === undefined) placed.add(this.#append(record))
      else if (!placed.has(message)) placed.add(this.#follow(message, record))
      else if (message.id === record['id']) message.record = { ...message.record, ...record }
    }
  }

  /** The last messages come again behind a summary, under new ids. */
  #compact([first = {}, ...records]: readonly JsonObject[]): void {
    const after = records.slice(isThanks(records[0]) ? 1 : 0)
    const at = this.#startOf(after)
    const kept = this.#current.slice(at)
    const summary = this.#append(first)
    this.compactions.push({ summary, kept: kept[0] })
    if (after.length < records.length) this.#byId.set(text(records[0]?.['id']), summary)
    for (const record of after) {
      const same = kept.find((message) => spokenKey(message.record) === spokenKey(record))
      if (kept.length === 0) this.#append(record)
      else this.#byId.set(text(record['id']), same ?? summary)
    }
  }

  /** Returns where these messages begin at the end of the conversation; its length if they are not there. */
  #startOf(records: readonly JsonObject[]): number {
    const again = records.map(spokenKey).filter((key) => key !== '')
    let at = this.#current.length
    while (again.length > 0 && at > 0) {
      const key = spokenKey(this.#current[--at]?.record ?? {})
      if (key !== '' && again.pop() !== key) return this.#current.length
    }
    return again.length === 0 ? at : this.#current.length
  }

  #find({ id }: JsonObject): Logged | undefined {
    return this.#byId.get(text(id))
  }

  #append(record: JsonObject): Logged {
    const message: Logged = { id: text(record['id']), record, before: this.last }
    this.#byId.set(message.id, message)
    this.messages.push(message)
    this.#current.push(message)
    return message
  }

  #follow(message: Logged, record: JsonObject): Logged {
    message.record = { ...message.record, ...record }
    message.before = this.last
    this.#current.push(message)
    return message
  }
}

/** Returns a message and all before it, the oldest first. */
function chainTo(message: Logged): Logged[] {
  const chain: Logged[] = []
  for (let at: Logged | undefined = message; at !== undefined; at = at.before) chain.push(at)
  return chain.reverse()
}

/** A summary. Models may think aloud before it. */
const summaryStart = /^\s*(<scratchpad>[\s\S]*<\/scratchpad>\s*)?<state_snapshot>/

/** Whether a message is the summary that replaced the conversation before it. */
export function isSummary({ type, content }: JsonObject): boolean {
  const parts = typeof content === 'string' ? [content] : objects(content).map((part) => text(part['text']))
  return type === 'user' && parts.some((words) => summaryStart.test(words))
}

/** Whether a message is the answer that Gemini CLI makes up for a summary. */
function isThanks(record: JsonObject | undefined): boolean {
  return record?.['type'] === 'gemini' && spokenKey(record).startsWith('gemini\nGot it. ')
}
