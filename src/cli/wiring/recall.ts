import { findDirectories } from '../../config/directories.ts'
import type { Recall } from '../../recall.ts'
import type { Redact } from '../../text/redaction.ts'
import type { Machine } from '../machine.ts'

/** Opens full-text search over all sessions on disk. Its owner closes it. */
export async function openRecall(
  { clock, pid, hostname, env, home }: Machine,
  { redact, tidies }: { readonly redact: Redact; readonly tidies: boolean },
): Promise<Recall> {
  const { openRecall: open } = await import('../../recall/recall.ts')
  const { folderModified, sessionListing, statSession } = await import('../../json/session-files.ts')
  const { sessions, recall } = findDirectories(env, home)
  return open({
    ...{ redact, tidies, clock, pid, host: hostname, folder: recall },
    list: () => sessionListing(sessions),
    modified: () => folderModified(sessions),
    file: (id) => statSession(sessions, id)[0],
    read: async (file, signal) => (await import('../../json/searchable.ts')).readSearchable(file, signal),
  })
}

/** The search of one run, opened on first use. */
export interface LazyRecall {
  open(): Promise<Recall>
  /** Waits for its work in the background, if it was opened. */
  close(): Promise<void>
}

export function lazyRecall(machine: Machine, options: Parameters<typeof openRecall>[1]): LazyRecall {
  let opening: Promise<Recall> | undefined
  return {
    open: () => {
      opening ??= openRecall(machine, options)
      return opening
    },
    close: async () => (await opening)?.close(),
  }
}
