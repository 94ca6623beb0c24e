/** The reach of a memory: the project that it was kept in, or all projects of the user. */
export const memoryScopes = ['project', 'user'] as const

export type MemoryScope = (typeof memoryScopes)[number]

/** A note that the user keeps across sessions. */
export interface Memory {
  /** Eight hexadecimal digits. Without one in its file, a hash of the scope and the text. */
  readonly id: string
  readonly scope: MemoryScope
  readonly text: string
  /** The day on which it was kept, such as `2026-11-26`. Absent if it was written by hand. */
  readonly date?: string
  /** Id of the session in which it was kept. */
  readonly session?: string
}

/** A memory that is yet to be kept. */
export interface MemoryDraft {
  readonly scope: MemoryScope
  /** The text as it is kept: without secrets and invisible characters. */
  readonly text: string
  /** The file that it goes to. */
  readonly path: string
}

/** The fate of a draft. */
export interface KeptMemory {
  readonly memory: Memory
  readonly path: string
  /** False if a memory with this text was there already. */
  readonly isNew: boolean
}

/** Keeps notes across sessions. */
export interface Memories {
  /** Returns a text as it would be kept. Throws `invalid` for one without words, or with more than 2,000 characters. */
  draft(text: string, scope: MemoryScope): MemoryDraft
  /**
   * Keeps a draft; it is on disk when this resolves. Throws `input` if its file has no room, `config` if it cannot be read, `conflict` if
   * another process holds its lock for 3 s, `aborted`.
   */
  keep(draft: MemoryDraft, options: { readonly signal: AbortSignal }): Promise<KeptMemory>
}
