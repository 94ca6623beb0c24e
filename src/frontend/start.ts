/** The way a first run goes on. */
export type Start =
  /** With the model of the provider whose key was stored. */
  | { readonly type: 'key'; readonly provider: string }
  /** With this `provider/model`. */
  | { readonly type: 'model'; readonly name: string }
  | { readonly type: 'demo' }
  | { readonly type: 'quit' }

/** A model of a server on this machine. */
export interface LocalModel {
  /** `provider/model`. */
  readonly name: string
  /** Why it is offered, in a few words. */
  readonly why: string
  /** Whether the server may belong to another user, who would see what is sent. Default: false. */
  readonly isDoubtful?: boolean
}
