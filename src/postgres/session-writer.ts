import { isPipeError, PipeError } from '../error.ts'
import type { NewId, SessionId } from '../id.ts'
import type { Database } from './database.ts'
import type { DedicatedConnection, HeldLock } from './dedicated-connection.ts'

export interface WriterParts {
  readonly database: Database
  readonly dedicated: DedicatedConnection
  readonly newId: Pick<NewId, 'message'>
  /** The process that writes, and its machine, for people to read. */
  readonly pid: number
  readonly host: string
  /** The attempt at a task for which it writes. Absent: none. */
  readonly attempt?: number | undefined
}

/** The right to write a session. Each write names the token, which a later writer replaces. */
export class SessionWriter {
  readonly token: string
  readonly #id: SessionId
  readonly #lock: HeldLock

  constructor(id: SessionId, token: string, lock: HeldLock) {
    this.#id = id
    this.token = token
    this.#lock = lock
  }

  /** Throws `conflict` once the lock is lost. */
  requireHeld(): void {
    if (this.#lock.lost.aborted) throw this.overtaken()
  }

  /** The error of a write that another writer forbids. */
  overtaken(): PipeError {
    return new PipeError(
      'conflict',
      `session ${this.#id} can no longer be written: another process has taken it over, or the connection that held it has ended`,
    )
  }

  release(): Promise<void> {
    return this.#lock.release()
  }
}

/** Takes the lock of a session, and forbids writes of earlier holders. Throws `conflict` that names the writer, `network`. */
export async function takeSession(
  id: SessionId,
  parts: WriterParts,
  signal: AbortSignal,
): Promise<SessionWriter> {
  const { database, dedicated, newId, pid, host, attempt } = parts
  const lock = await dedicated.lock(`session ${id}`, signal)
  if (lock === undefined) throw await held(id, database, signal)
  try {
    const token = newId.message()
    const taken = await database.write(
      `insert into pipe.writers as w (session_id, token, attempt, pid, host) values ($1, $2, coalesce($3, 0), $4, $5)
       on conflict (session_id) do update set token = excluded.token, pid = excluded.pid, host = excluded.host,
         attempt = greatest(w.attempt, excluded.attempt)
       where $3::integer is null or w.attempt <= $3
       returning attempt`,
      [id, token, attempt ?? null, pid, host],
      { signal },
    )
    if (taken.length > 0) return new SessionWriter(id, token, lock)
    throw new PipeError(
      'conflict',
      `session ${id} belongs to a newer attempt than ${attempt}: another worker has taken the task over`,
    )
  } catch (error) {
    await lock.release().catch((failure) => {
      if (!isPipeError(failure)) throw failure
    })
    throw error
  }
}

async function held(id: SessionId, database: Database, signal: AbortSignal): Promise<PipeError> {
  const [row] = await database.read<{ pid: number | null; host: string | null }>(
    'select pid, host from pipe.writers where session_id = $1',
    [id],
    { signal },
  )
  const pid = String(row?.pid ?? 'unknown')
  const host = row?.host ?? 'an unknown machine'
  return new PipeError(
    'conflict',
    `session ${id} is being written by process ${pid} on ${host}; end that process, or continue in a copy with --fork`,
    { details: { pid, host } },
  )
}
