import type { SessionId } from '../id.ts'
import type { IndexedDocument, SearchSource } from './search-source.ts'

/** Describes all sessions of an index for ranking. A session's number is its position in each list. */
export interface Catalog {
  readonly ids: readonly SessionId[]
  /** The sums of the lengths of each session's documents. */
  readonly lengths: Int32Array
  /** Times of the last messages, in milliseconds since 1970. */
  readonly times: Float64Array
  /** The sessions' folders by their position in `folders`, in which '' is none. */
  readonly folderOf: Int32Array
  readonly folders: readonly string[]
  /** The number of the session that each document of each source belongs to; -1 if the document does not count. */
  readonly owners: readonly Int32Array[]
}

interface Joined {
  readonly number: number
  readonly last: IndexedDocument
  readonly length: number
}

/**
 * Joins the documents of each session, those of later sources last. A document counts if it continues the ones before, or begins the
 * session anew. Others remain of a rewritten file, a process that was killed, or of a lost line before them.
 */
export class Joiner {
  readonly owners: Int32Array[] = []
  readonly #sessions = new Map<SessionId, Joined>()

  /** Throws `SegmentFault`. */
  constructor(sources: readonly SearchSource[]) {
    for (const source of sources) this.add(source)
  }

  get count(): number {
    return this.#sessions.size
  }

  ids(): IterableIterator<SessionId> {
    return this.#sessions.keys()
  }

  /** Returns the last document of a session. */
  lastOf(id: SessionId): IndexedDocument | undefined {
    return this.#sessions.get(id)?.last
  }

  add({ documents }: SearchSource): void {
    const owned = new Int32Array(documents.length).fill(-1)
    this.owners.push(owned)
    documents.forEach((document, position) => {
      const known = this.#sessions.get(document.id)
      const isContinued = known !== undefined && continues(document, known.last)
      if (document.from !== 0 && !isContinued) return
      if (known !== undefined && !isContinued) disown(this.owners, known.number)
      const number = known?.number ?? this.#sessions.size
      const length = document.length + (isContinued ? known.length : 0)
      this.#sessions.set(document.id, { number, last: document, length })
      owned[position] = number
    })
  }

  catalog(): Catalog {
    const joined = [...this.#sessions.values()]
    const folders = [...new Set(joined.map(({ last }) => last.cwd ?? ''))]
    const numbers = new Map(folders.map((folder, i) => [folder, i]))
    return {
      ids: [...this.#sessions.keys()],
      lengths: Int32Array.from(joined, ({ length }) => length),
      times: Float64Array.from(joined, ({ last }) => last.at),
      folderOf: Int32Array.from(joined, ({ last }) => numbers.get(last.cwd ?? '') ?? 0),
      folders,
      owners: this.owners,
    }
  }
}

function continues({ from, createdAt }: IndexedDocument, last: IndexedDocument): boolean {
  return from !== 0 && from === last.through && createdAt === last.createdAt
}

function disown(owners: readonly Int32Array[], number: number): void {
  for (const list of owners) {
    for (let at = list.indexOf(number); at !== -1; at = list.indexOf(number, at)) list[at] = -1
  }
}
