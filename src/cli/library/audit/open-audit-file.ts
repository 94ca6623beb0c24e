import { join } from 'node:path'
import type { AuditEntry, AuditLog } from '../../../audit.ts'
import { secretValues } from '../../../builtin/command/child-env.ts'
import { findDirectories } from '../../../config/directories.ts'
import type { PipeError } from '../../../error.ts'
import { type Lock, takeLock } from '../../../files/lock/lock.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { readSessionId, type SessionId } from '../../../id.ts'
import { type AuditCheck, checkAudit } from '../../../json/audit/check.ts'
import { createAuditLog } from '../../../json/audit/log.ts'
import { readAudit, readAuditLines, type StoredEntry } from '../../../json/audit/read-audit-log.ts'
import { createRedactor } from '../../../redaction/redaction.ts'
import { readMachine } from '../../host.ts'

export interface AuditFileOptions {
  /** Names the log: letters, digits, `.`, `_` and `-`. Default: a new session's id. */
  readonly session?: string | undefined
  /** Absolute folder of the logs, a file `<session>.jsonl` each. Created on demand, for its owner alone. Default: the user's. */
  readonly folder?: string | undefined
  /** The folder that the log is about, for its header. Default: that of the process. */
  readonly cwd?: string | undefined
  /** Texts from 8 characters that become `[redacted]`, besides keys of known shapes and secrets of the environment. Default: none. */
  readonly secrets?: readonly string[] | undefined
  /** `metadata` leaves out what was said, `thoughts` keeps long thinking whole. Default: `full`. */
  readonly detail?: 'full' | 'metadata' | 'thoughts' | undefined
  /** Decides where the user's logs are, as for `openConversation`. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface VerifyOptions {
  /** An earlier `head` of the log, kept elsewhere: without one, lines cut off at the end go unnoticed. */
  readonly head?: string | undefined
  /** Whether the last turn must have its end: a log of `openConversation`, which is closed. Default: false. */
  readonly isOver?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** The log of one session, to write, read and verify. */
export interface AuditFile extends AuditLog, AsyncDisposable {
  readonly session: SessionId
  /** Absolute. */
  readonly path: string
  /** Syncs, then reads all entries in order. Skips damaged lines. Throws `not_found` if nothing was ever written, `permission`, `aborted`. */
  entries(options?: { readonly signal?: AbortSignal }): AsyncGenerator<StoredEntry, undefined, undefined>
  /**
   * Syncs, then finds the first line that was altered, removed, moved or cut: the result's `fault`. Throws `not_found`, `permission`,
   * `aborted`, and `input` for a log of a newer version.
   */
  verify(options?: VerifyOptions): Promise<AuditCheck>
}

/**
 * Opens the log of a session. Writes nothing, and keeps no other process from writing, before the first entry. Throws `input` for a name that
 * is none. Writing throws `conflict` while another process writes this log.
 */
export function openAuditLog({
  session,
  env = process.env,
  folder,
  cwd = process.cwd(),
  secrets = [],
  ...options
}: AuditFileOptions = {}): AuditFile {
  const machine = readMachine(env)
  const { clock, newId, pid, hostname: host, home } = machine
  const id = session === undefined ? newId.session() : readSessionId(session)
  const directory = folder ?? findDirectories(machine.env, home).audit
  const { signal } = new AbortController()
  let lock: Lock | undefined
  const requireHeld = () => {
    if (lock === undefined) makePrivateFolder(directory)
    lock ??= takeLock(join(directory, `${id}.lock`), { pid, host, clock, signal })
    lock.requireHeld()
  }
  const redact = createRedactor([...secretValues(machine.env), ...secrets])
  const log = createAuditLog({ ...options, directory, session: id, cwd, clock, newId, redact, requireHeld })
  return new LockedAudit(log, { session: id, directory, release: () => lock?.release() })
}

interface Place {
  readonly session: SessionId
  readonly directory: string
  readonly release: () => void
}

class LockedAudit implements AuditFile {
  readonly session: SessionId
  readonly path: string
  readonly #log: AuditLog
  readonly #place: Place

  constructor(log: AuditLog, place: Place) {
    this.session = place.session
    this.path = join(place.directory, `${place.session}.jsonl`)
    this.#log = log
    this.#place = place
  }

  get unsaved(): PipeError | undefined {
    return this.#log.unsaved
  }

  get head(): string | undefined {
    return this.#log.head
  }

  append(entry: AuditEntry): void {
    this.#log.append(entry)
  }

  settle(): void {
    this.#log.settle()
  }

  sync(): Promise<void> {
    return this.#log.sync()
  }

  async *entries({ signal }: { readonly signal?: AbortSignal } = {}) {
    yield* readAudit(await this.#lines(signal))
    return undefined
  }

  async verify({ head, isOver = false, signal }: VerifyOptions = {}): Promise<AuditCheck> {
    const lines = await this.#lines(signal)
    return checkAudit(lines, { session: this.session, head, isGrowing: !isOver })
  }

  async #lines(signal = new AbortController().signal) {
    await this.#log.sync()
    return readAuditLines(this.session, { directory: this.#place.directory, signal })
  }

  async close(): Promise<void> {
    try {
      await this.#log.close()
    } finally {
      this.#place.release()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
