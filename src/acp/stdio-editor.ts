import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { type EditorServing, serveEditor } from './acp-agent.ts'

export interface StdioEditor extends Omit<EditorServing, 'stream'> {
  readonly stdin: Readable
  /** Gets nothing but messages. */
  readonly stdout: Writable
}

/** Speaks to the editor that started this process, until it closes its end or the signal fires. */
export async function serveEditorOverStdio({ stdin, stdout, ...serving }: StdioEditor): Promise<void> {
  const stream = ndJsonStream(Writable.toWeb(stdout), Readable.toWeb(stdin))
  await serveEditor({ ...serving, stream })
  stdin.destroy()
}
