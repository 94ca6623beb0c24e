import { join } from 'node:path'
import type { BuiltinOptions } from '../../../builtin/workspace.ts'
import { findDirectories } from '../../../config/directories.ts'
import { readSettings, type Settings } from '../../../config/settings.ts'
import type { SessionId } from '../../../id.ts'
import type { Recall } from '../../../memory/recall.ts'
import type { RecallParts } from '../../../recall/spoken-parts.ts'
import type { Redact } from '../../../redaction/redaction.ts'
import type { Machine } from '../../machine.ts'

export interface RecallChoices {
  readonly redact: Redact
  readonly tidies: boolean
  /** The settings of a run. Default: the user's own, read by the first search. */
  readonly settings?: Settings
  /** Stands for the model, the vectors and the index folder of the settings. Default: none. */
  readonly own?: Partial<Pick<RecallParts, 'folder' | 'openEmbedder' | 'openVectors'>>
}

/** Opens the search over all sessions on disk. Its owner closes it. */
export async function openSessionRecall(
  machine: Machine,
  { redact, tidies, settings, own = {} }: RecallChoices,
): Promise<Recall> {
  const { clock, pid, hostname, env, home } = machine
  const { createRecall } = await import('../../../recall/open-recall.ts')
  const { folderModified, sessionListing, statSession } = await import(
    '../../../json/sessions/session-files.ts'
  )
  const { config, sessions, recall } = findDirectories(env, home)
  const chosen = async () => settings ?? readSettings(join(config, 'config.json'))
  return createRecall({
    redact,
    tidies,
    clock,
    pid,
    host: hostname,
    folder: recall,
    list: async () => sessionListing(sessions),
    modified: () => folderModified(sessions),
    file: (id) => statSession(sessions, id),
    read: async (file, signal) =>
      (await import('../../../json/sessions/searchable.ts')).readSearchable(file, signal),
    openEmbedder: async () => {
      const found = await chosen()
      // Most users have none, and a search without it stays fast.
      if (found.routes?.['embedding'] === undefined) return undefined
      return (await import('./embedder.ts')).openChosenEmbedder(machine, found)
    },
    openVectors: async (model) => {
      const { openChosenVectors } = await import('./chosen-vector-store.ts')
      // Files of other machines are out of reach, so their sessions are kept apart.
      const origin = `recall ${hostname} ${sessions}`
      return openChosenVectors(machine, await chosen(), { name: 'recall', origin, model })
    },
    ...own,
  })
}

/** The search of one run, opened on first use. */
export interface LazyRecall {
  open(): Promise<Recall>
  /** Waits for its work in the background, if it was opened. */
  close(): Promise<void>
}

export function lazyRecall(machine: Machine, options: RecallChoices): LazyRecall {
  let opening: Promise<Recall> | undefined
  return {
    open: () => {
      opening ??= openSessionRecall(machine, options)
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
  const where = { except, ...(scope === 'all' ? {} : { cwd }) }
  return async (words, { limit, signal }) =>
    (await recall.open()).search({ words, limit, ...where }, { signal })
}
