import type { BuiltinOptions } from '../../builtin/workspace.ts'
import { findDirectories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import type { SessionId } from '../../id.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Recall } from '../../recall.ts'
import type { Redact } from '../../text/redaction.ts'
import type { Machine } from '../machine.ts'

/** Opens full-text search over all sessions on disk. Its owner closes it. */
export async function openRecall(
  { clock, pid, hostname, env, home }: Machine,
  { redact, tidies }: { readonly redact: Redact; readonly tidies: boolean },
): Promise<Recall> {
  const { createRecall } = await import('../../recall/recall.ts')
  const { folderModified, sessionListing, statSession } = await import('../../json/session-files.ts')
  const { sessions, recall } = findDirectories(env, home)
  return createRecall({
    ...{ redact, tidies, clock, pid, host: hostname, folder: recall },
    list: async () => sessionListing(sessions),
    modified: () => folderModified(sessions),
    file: (id) => statSession(sessions, id),
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

/** Returns the search of the `recall` tool as the setting has it: in this folder's other sessions, or in all others. */
export function searchFor(
  recall: LazyRecall,
  scope: Settings['recall'],
  { cwd, except }: { readonly cwd: string; readonly except: SessionId | undefined },
): BuiltinOptions['recall'] {
  if (scope === undefined || scope === false) return undefined
  const where = { ...omitUndefined({ except }), ...(scope === 'all' ? {} : { cwd }) }
  return async (words, { limit, signal }) =>
    (await recall.open()).search({ words, limit, ...where }, { signal })
}
