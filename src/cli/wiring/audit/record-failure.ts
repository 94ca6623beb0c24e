import { devNull } from 'node:os'
import type { AuditLog } from '../../../audit.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import type { SessionStore } from '../../../session.ts'
import { translated, translatedStore } from '../session/translated-store.ts'

/** Wraps a store so that failed writes are `storage` errors with advice, not permission or input errors. */
export function reportingStore(store: SessionStore): SessionStore {
  return translatedStore(store, {
    opening: (error) => asRecordFailure(error, advise),
    writing: asRecordFailure,
    reading: (error) => error,
  })
}

/** Wraps an audit log so that its failed writes are `storage` errors too. */
export function reportingAudit(log: AuditLog): AuditLog {
  return {
    get unsaved() {
      return log.unsaved
    },
    get head() {
      return log.head
    },
    append: (entry) => log.append(entry),
    settle: () => {
      try {
        log.settle()
      } catch (error) {
        throw asRecordFailure(error)
      }
    },
    sync: () => translated(() => log.sync(), asRecordFailure),
    close: () => translated(() => log.close(), asRecordFailure),
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
