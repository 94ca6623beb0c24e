import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClaudeTranscript } from '../../../claude/claude-transcript.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { writeAtomically } from '../../../files/writing/atomic.ts'
import { peerCall } from '../../../hooks/peer-call.ts'
import type { MessageId, SessionId } from '../../../id.ts'
import type { JsonValue } from '../../../json-value.ts'
import type { Message } from '../../../message.ts'
import { type Redact, redactMessage } from '../../../redaction/redaction.ts'
import type { Machine } from '../../machine.ts'
import { version } from '../../version.ts'
import { knownTools } from '../tools/known-tools.ts'

export interface TranscribedSession {
  readonly id: SessionId
  readonly machine: Pick<Machine, 'cwd' | 'home' | 'newId'>
  /** Removes what sessions must not hold. */
  readonly redact: Redact
}

/** A transcript on disk. An earlier run's is replaced, as the user may have gone back in the session. */
export class TranscriptFile {
  readonly #path: string
  readonly #session: TranscribedSession
  #lines: ClaudeTranscript | undefined
  readonly #written = new Set<MessageId>()

  constructor(path: string, session: TranscribedSession) {
    this.#path = path
    this.#session = session
  }

  /** Writes the messages of a branch that the file lacks. Throws `PipeError` and system errors; the next call then writes all anew. */
  async add(branch: readonly Message[]): Promise<void> {
    // Nothing is kept of a session without a message.
    if (branch.length === 0) return
    const known = branch.findLastIndex(({ id }) => this.#written.has(id))
    const messages = branch.slice(known + 1)
    const isFirst = this.#lines === undefined
    this.#lines ??= this.#open()
    try {
      const text = this.#textOf(messages, this.#lines)
      if (isFirst) await this.#begin(text)
      else if (text !== '') appendFileSync(this.#path, text)
    } catch (error) {
      this.#lines = undefined
      this.#written.clear()
      throw error
    }
    for (const { id } of messages) this.#written.add(id)
  }

  async #begin(text: string): Promise<void> {
    makePrivateFolder(dirname(this.#path))
    await writeAtomically(this.#path, Buffer.from(text), { mode: 0o600 })
  }

  #textOf(messages: readonly Message[], transcript: ClaudeTranscript): string {
    return messages
      .flatMap((message) => transcript.linesOf(redactMessage(message, this.#session.redact)))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  }

  #open(): ClaudeTranscript {
    const { machine, id } = this.#session
    const { cwd, newId } = machine
    const call = (name: string, args: JsonValue) => {
      const tool = knownTools.find((one) => one.name === name)
      return tool === undefined ? { name, input: args } : peerCall(tool, args, machine)
    }
    const facts = { cwd, sessionId: id, version }
    return new ClaudeTranscript({ words: { call }, newId: () => newId.message(), facts })
  }
}
