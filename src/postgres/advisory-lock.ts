/** The key of an advisory lock in two halves, as the server shows it. */
export const lockKey = '(classid::bigint << 32) | objid::bigint'

/** The advisory locks of the server's process that runs the statement. */
const ownLocks = `pg_locks join pg_database on pg_database.oid = database
  where datname = current_database() and pid = pg_backend_pid() and locktype = 'advisory' and objsubid = 1`

/**
 * Takes the lock `$1` if the process `$2` runs the statement and does not have it yet: a lock is granted once more to the process that has
 * it, so one that others share would give it twice. `is_own`: it is not shared, as far as is known.
 */
export const lockStatement = `
with this as (
  select pg_backend_pid() = $2
    and not exists (select from ${ownLocks} and ${lockKey} = hashtextextended($1, 0)) as is_own
  offset 0
)
select is_own, case when is_own then pg_try_advisory_lock(hashtextextended($1, 0)) else false end as is_taken from this`

/** Whether the process `$1` runs the statement and has all of the locks `$2`. */
export const ownStatement = `
select pg_backend_pid() = $1 and not exists (
  select from unnest($2::text[]) as wanted(name)
  where hashtextextended(name, 0) not in (select ${lockKey} from ${ownLocks})
) as is_own`

/** The locks of one connection. */
export class HeldLocks {
  /** Each name, and whether it is taken for sure: not on the way to be, nor to be released. */
  readonly #locks = new Map<string, boolean>()

  /** The names of locks that are taken for sure. */
  get taken(): readonly string[] {
    return [...this.#locks].flatMap(([name, isTaken]) => (isTaken ? [name] : []))
  }

  /** Takes a lock that this connection does not have. Returns false if it is held. */
  async take(name: string, take: () => Promise<boolean>): Promise<boolean> {
    if (this.#locks.has(name)) return false
    this.#locks.set(name, false)
    let isTaken = false
    try {
      isTaken = await take()
    } finally {
      if (isTaken) this.#locks.set(name, true)
      else this.#locks.delete(name)
    }
    return isTaken
  }

  async release(name: string, release: () => Promise<void>): Promise<void> {
    this.#locks.set(name, false)
    await release()
    this.#locks.delete(name)
  }
}
