import { devNull } from 'node:os'
import type { AuditLog } from '../../audit.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { SessionLog, SessionStore } from '../../session.ts'

/** Wraps a store so that failed writes are `storage` errors with advice, not permission or input errors. */
export function reportingStore(store: SessionStore): SessionStore {
  return {
    create: async (session, options) =>
      reportingLog(await reported(() => store.create(session, options), advise)),
    open: async (id, options) => {
      const { log, loaded } = await reported(() => store.open(id, options), advise)
      return { log: reportingLog(log), loaded }
    },
    load: (id, options) => store.load(id, options),
    find: (beginning, options) => store.find(beginning, options),
    list: (options) => store.list(options),
  }
}

function reportingLog(log: SessionLog): SessionLog {
  return {
    id: log.id,
    ...omitUndefined({ warnings: log.warnings }),
    get unsaved() {
      return log.unsaved
    },
    append: (message, state) => reported(() => log.append(message, state)),
    update: (state) => reported(() => log.update(state)),
    requireHeld: () => log.requireHeld?.(),
    sync: () => reported(() => log.sync()),
    close: () => reported(() => log.close()),
  }
}

/** Wraps an audit log so that its failed writes are `storage` errors too. */
export function reportingAudit(log: AuditLog): AuditLog {
  return {
    get unsaved() {
      return log.unsaved
    },
    append: (entry) => log.append(entry),
    settle: () => {
      try {
        log.settle()
      } catch (error) {
        throw asRecordFailure(error)
      }
    },
    sync: () => reported(() => log.sync()),
    close: () => reported(() => log.close()),
  }
}

async function reported<T>(work: () => Promise<T>, explain = said): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asRecordFailure(error, explain)
  }
}

/** Turns a system error (its code is in `details.reason`) into `storage`. Returns any other error unchanged. */
function asRecordFailure(error: unknown, explain = said): unknown {
  if (!isPipeError(error) || !/^E[A-Z0-9]+$/.test(error.details['reason'] ?? '')) return error
  return new PipeError('storage', explain(error), { cause: error, details: error.details })
}

function said({ message, details }: PipeError): string {
  const isHomeless = details['path']?.startsWith(`${devNull}/`) === true
  return isHomeless ? 'there is no home folder to store data in; set HOME or PIPE_HOME' : message
}

function advise(error: PipeError): string {
  const words = said(error)
  return `${words}${words === error.message ? '; set another folder with PIPE_HOME' : ''}, or use --no-session`
}
