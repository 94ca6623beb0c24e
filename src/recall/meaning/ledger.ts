import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../files/descriptor.ts'
import { readIfThere } from '../../files/reading/read-if-there.ts'
import { writeAtomically } from '../../files/writing/atomic.ts'
import { isSessionId, type SessionId } from '../../id.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../json-value.ts'

/** The share of a session that is embedded. */
export interface Embedded {
  readonly id: SessionId
  readonly createdAt: string
  /** Counts the messages, of all that the session's file holds. */
  readonly through: number
  /** Names the state of the session in the index of words; an empty text if more messages of that state wait. */
  readonly mark: string
}

/** Names the vectors that a ledger is about. */
export interface LedgerHead {
  readonly model: string
  /** As `VectorStore.generation` says. */
  readonly generation: string
}

const version = 1
/** Lines that a ledger may have, if it is about half as many sessions. */
const mostLines = 1_000

/** Notes in a file which messages of which sessions are embedded, so that each is sent once. Only the holder of a lock writes. */
export class Ledger {
  readonly #path: string
  readonly #sessions = new Map<SessionId, Embedded>()
  #head: LedgerHead | undefined
  #lines = 0

  /** Reads the ledger in a folder; empty if there is none, or if it is of another version. */
  constructor(folder: string) {
    this.#path = join(folder, 'embedded.jsonl')
    const text = readIfThere(this.#path)?.toString() ?? ''
    const [first = '', ...lines] = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
    this.#head = decodeHead(parseJson(first))
    if (this.#head === undefined) return
    this.#lines = lines.length
    for (const line of lines) this.#apply(parseJson(line))
  }

  get head(): LedgerHead | undefined {
    return this.#head
  }

  get ids(): readonly SessionId[] {
    return [...this.#sessions.keys()]
  }

  get(id: SessionId): Embedded | undefined {
    return this.#sessions.get(id)
  }

  /** Begins an empty ledger. */
  async begin(head: LedgerHead): Promise<void> {
    this.#head = head
    this.#sessions.clear()
    await this.#rewrite()
  }

  /** Notes what is embedded now. */
  async note(sessions: readonly Embedded[]): Promise<void> {
    for (const session of sessions) this.#sessions.set(session.id, session)
    await this.#append(sessions.map(encode))
  }

  /** Forgets sessions. */
  async forget(ids: readonly SessionId[]): Promise<void> {
    for (const id of ids) this.#sessions.delete(id)
    await this.#append(ids.map((id) => JSON.stringify({ id, gone: true })))
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    this.#lines += lines.length
    if (this.#lines > mostLines + 2 * this.#sessions.size) return this.#rewrite()
    const descriptor = openSync(this.#path, 'a', 0o600)
    try {
      // Begins a new line, as a crash may have left half of one.
      writeWhole(descriptor, Buffer.from(`\n${lines.join('\n')}\n`))
    } finally {
      closeSync(descriptor)
    }
  }

  async #rewrite(): Promise<void> {
    const lines = [JSON.stringify({ version, ...this.#head }), ...[...this.#sessions.values()].map(encode)]
    this.#lines = lines.length
    await writeAtomically(this.#path, Buffer.from(`${lines.join('\n')}\n`), { mode: 0o600 })
  }

  #apply(value: JsonValue | undefined): void {
    if (!isJsonObject(value)) return
    const { id, created_at: createdAt, through, mark, gone } = value
    if (typeof id !== 'string' || !isSessionId(id)) return
    if (gone === true) this.#sessions.delete(id)
    else if (typeof createdAt === 'string' && typeof through === 'number' && typeof mark === 'string')
      this.#sessions.set(id, { id, createdAt, through, mark })
  }
}

function encode({ id, createdAt, through, mark }: Embedded): string {
  return JSON.stringify({ id, created_at: createdAt, through, mark })
}

function decodeHead(value: JsonValue | undefined): LedgerHead | undefined {
  if (!isJsonObject(value) || value['version'] !== version) return undefined
  const { model, generation } = value
  return typeof model === 'string' && typeof generation === 'string' ? { model, generation } : undefined
}
