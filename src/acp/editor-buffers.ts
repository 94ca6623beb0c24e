import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk'
import { type Clock, withinLimit } from '../clock.ts'
import type { OpenBuffers } from '../machine/open-buffers.ts'

export interface EditorBuffersOptions {
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  readonly clock: Clock
  /** The session by which the editor knows who asks; `undefined` while it has none. */
  sessionId(): string | undefined
}

/** Longest time that an editor may take to answer, in ms: reading waits for it. */
const longestMs = 5_000

/** The open files of an editor, as far as it offers them. */
export function editorBuffers({ client, capabilities, clock, sessionId }: EditorBuffersOptions): OpenBuffers {
  /** Gives up after a while, so that an editor that is busy with a dialog blocks nothing else. */
  const bounded = <T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>) =>
    withinLimit({ clock, ms: longestMs, signal }, ask)
  const { fs } = capabilities
  return {
    ...(fs?.readTextFile === true && {
      async read(path, signal) {
        const id = sessionId()
        if (id === undefined) return undefined
        const { content } = await bounded(signal, (cancellationSignal) =>
          client.request(
            'fs/read_text_file',
            { sessionId: id, path },
            { cancellationSignal, stopWaitingOnCancel: true },
          ),
        )
        return content
      },
    }),
    ...(fs?.writeTextFile === true && {
      async write(path, content, signal) {
        const id = sessionId()
        if (id === undefined) return
        await bounded(signal, (cancellationSignal) =>
          client.request(
            'fs/write_text_file',
            { sessionId: id, path, content },
            { cancellationSignal, stopWaitingOnCancel: true },
          ),
        )
      },
    }),
  }
}
