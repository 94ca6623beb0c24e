/** A resource of an MCP server, as a message can name it. */
export interface OfferedResource {
  readonly uri: string
  /** A line about it. */
  readonly about: string
  /** Whether the URI goes on: it is the beginning of a template. */
  readonly isOpen: boolean
}

/** The resources of MCP servers. */
export interface ServerResources {
  /** Lists the names of the servers that run and have resources. */
  running(): readonly string[]
  /** Whether there is a server of this name. It may not run yet. */
  has(server: string): boolean
  /** Lists what a server holds, and what it offers for a URI that begins so. Starts it before if need be. Throws `tool`, `aborted`. */
  find(server: string, typed: string, signal: AbortSignal): Promise<readonly OfferedResource[]>
}
