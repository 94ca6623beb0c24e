import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { object, objects, text } from '../../wire/json-fields.ts'
import type { Format, FormatReader } from '../agent-format.ts'
import type { EntryPlace } from '../import-entry.ts'
import { agentNotes, nameInFile } from '../left-out.ts'
import type { SessionDraft } from '../session-draft.ts'
import {
  type GeminiResult,
  partsOf,
  readCallResults,
  readPrompt,
  readReply,
  readResults,
  readShown,
  readUsage,
} from './content.ts'
import { GeminiLog, isSummary, type Logged } from './gemini-log.ts'

/**
 * Sessions of Gemini CLI: a log of messages, and of changes to the list of them; in its first versions one document. The results of calls
 * stand with the calls, and once more as a message of the user's.
 */
export const gemini: Format = {
  agent: 'Gemini CLI',
  recognises: (line) =>
    (text(line['sessionId']) !== '' && text(line['projectHash']) !== '') ||
    object(line['$set']) !== undefined ||
    text(line['$rewindTo']) !== '' ||
    isMessage(line),
  open: (draft) => new Reader(draft),
}

function isMessage({ id, timestamp, type, content }: JsonObject): boolean {
  const isSpoken = type === 'user' || type === 'gemini'
  return isSpoken && text(id) !== '' && text(timestamp) !== '' && content !== undefined
}

class Reader implements FormatReader {
  readonly #draft: SessionDraft
  readonly #leaveOut: SessionDraft['leaveOut']
  readonly #log = new GeminiLog()
  readonly #places = new Map<Logged, string>()
  readonly #answered = new Set<string>()

  constructor(draft: SessionDraft) {
    this.#draft = draft
    this.#leaveOut = draft.leaveOut
  }

  read(line: JsonObject): void {
    const changed = object(line['$set'])
    if (changed !== undefined) this.#readFacts(changed)
    else if (typeof line['$rewindTo'] === 'string') this.#log.rewindTo(line['$rewindTo'])
    else if (text(line['id']) !== '') this.#log.write(line)
    else if (text(line['sessionId']) !== '') this.#readFacts(line)
    else this.#leaveOut(`${nameInFile(line['type'], 'untyped')} lines`)
  }

  end(): void {
    for (const message of this.#log.messages) this.#placeOf(message)
    const last = this.#log.last
    const parent = last === undefined ? null : this.#placeOf(last)
    this.#draft.add({ type: 'link', id: 'end', parent, timestamp: '' })
  }

  /** Reads a header, or changes to it. */
  #readFacts(facts: JsonObject): void {
    this.#draft.sourceId ??= text(facts['sessionId']) || undefined
    this.#draft.title = text(facts['summary']) || this.#draft.title
    if (!Array.isArray(facts['messages'])) return
    const messages = objects(facts['messages']).filter(({ id }) => text(id) !== '')
    const lost = facts['messages'].length - messages.length
    if (lost > 0) this.#leaveOut('messages without an id', lost)
    this.#log.replace(messages)
  }

  /** Returns the id of a message in the draft, and adds it with all before it if it is new. */
  #placeOf(message: Logged): string {
    const chain: Logged[] = []
    for (let at: Logged | undefined = message; at !== undefined && !this.#places.has(at); at = at.before)
      chain.push(at)
    for (const one of chain.reverse()) {
      const id = `${one.id} ${this.#places.size}`
      const parent = one.before === undefined ? null : (this.#places.get(one.before) ?? null)
      this.#places.set(one, id)
      this.#add(one, { id, parent, timestamp: text(one.record['timestamp']) })
    }
    return this.#places.get(message) ?? ''
  }

  #add(message: Logged, place: EntryPlace): void {
    const { record } = message
    switch (record['type']) {
      case 'user':
        if (isSummary(record)) this.#addSummary(message, place)
        else this.#addUser(record, place)
        return
      case 'gemini':
        this.#addReply(record, place)
        return
      default:
        if (partsOf(record['content']).length > 0) this.#leaveOut('notices of the agent itself')
        this.#draft.add({ type: 'link', ...place })
    }
  }

  #addSummary(message: Logged, place: EntryPlace): void {
    const kept = this.#log.compactions.find(({ summary }) => summary === message)?.kept
    const words = readShown(partsOf(message.record['content']), this.#leaveOut).map(wordsOf).join('\n\n')
    const keptFrom = kept && this.#places.get(kept)
    this.#draft.add({ type: 'summary', ...place, text: words, ...omitUndefined({ keptFrom }) })
  }

  #addUser(record: JsonObject, place: EntryPlace): void {
    const results = readResults(record['content'], this.#leaveOut)
    const { content, context } = readPrompt(record['content'], this.#leaveOut)
    const isNote = content.some((block) => /^\s*<session_context>/.test(wordsOf(block)))
    if (isNote) this.#leaveOut(agentNotes)
    if (isNote || content.length === 0) this.#draft.add({ type: 'link', ...place })
    else this.#draft.add({ type: 'user', ...place, content, ...omitUndefined({ context }) })
    this.#addResults(results, place)
  }

  #addReply(record: JsonObject, place: EntryPlace): void {
    const content = readReply(record, this.#leaveOut)
    if (content.length === 0) {
      this.#draft.add({ type: 'link', ...place })
      return
    }
    this.#draft.add({
      type: 'reply',
      ...place,
      replyId: place.id,
      content,
      provider: 'gemini',
      ...omitUndefined({
        model: text(record['model']) || undefined,
        usage: readUsage(object(record['tokens'])),
      }),
    })
    this.#addResults(readCallResults(record, this.#leaveOut), place)
  }

  /** Adds the results of calls that have none yet, as the log repeats them. */
  #addResults(results: readonly GeminiResult[], { id: parent, timestamp }: EntryPlace): void {
    for (const result of results) {
      const id = `result ${result.toolCallId}`
      if (this.#answered.has(id)) continue
      this.#answered.add(id)
      this.#draft.add({ type: 'result', ...result, id, parent, timestamp })
    }
  }
}

function wordsOf(block: ContentBlock): string {
  return block.type === 'text' ? block.text : ''
}
