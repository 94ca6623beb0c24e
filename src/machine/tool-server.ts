/** A server of tools that speaks the Model Context Protocol (MCP), as a file configures it. */
export interface ToolServer {
  /** Printable, at most 64 characters. */
  readonly name: string
  readonly access: LocalToolServer | RemoteToolServer
  /** The tools that the model may find. Default: all. */
  readonly only?: readonly string[]
  /** Tools that it may not find. Default: none. */
  readonly except?: readonly string[]
  /** Time in ms to start and list its tools. Default: 30,000. */
  readonly startMs?: number
  /** Time in ms for a call without progress. Default: 60,000. */
  readonly callMs?: number
}

/** A server that pipe starts and speaks to over its stdin and stdout. */
export interface LocalToolServer {
  readonly type: 'stdio'
  /** A path, or a name that is looked up in `PATH`. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** An absolute path. Default: the folder of the run. */
  readonly cwd?: string
}

/** A server that is reached over HTTP. */
export interface RemoteToolServer {
  readonly type: 'http'
  readonly url: string
  /** The server speaks as in 2024: it answers over one stream of events. */
  readonly isEventStream?: true
  readonly headers: Readonly<Record<string, string>>
  /** Says how to sign in to it. Absent: as the server says. */
  readonly oauth?: SignInOptions
}

/** A server inside the program that drives pipe, which carries its messages. No file can name one. */
export interface ServerInProgram extends Omit<ToolServer, 'access'> {
  readonly access: { readonly type: 'program' }
}

/** A server of tools, wherever it runs. */
export type AnyToolServer = ToolServer | ServerInProgram

/** Holds an entry's fields about signing in (OAuth). */
export interface SignInOptions {
  /** The address of a document that describes this client, which is its id where the authorization server takes one. */
  readonly clientMetadataUrl?: string
  /** The id of a client that is registered already. Default: it is registered at the first sign-in. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** The port of this machine that the browser is sent back to. Default: a free one. */
  readonly callbackPort?: number
  /** Default: those that the server asks for. */
  readonly scopes?: readonly string[]
}
