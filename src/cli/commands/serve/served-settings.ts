import type { Settings } from '../../../config/settings.ts'
import { isProject } from '../../../config/trust/folder-trust.ts'
import type { ServedProject } from '../../../hono/backend.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'

/** The settings of the server, which no project can set, and what those of its folders have in common. */
export interface ServedSettings extends NonNullable<Settings['serve']> {
  /** Some folder keeps its sessions without secrets. */
  readonly redacts: boolean
}

/**
 * Reads the settings of the folders before anything is served from them, so that faults are told at the start. Says which folders are not
 * trusted. Throws `config`.
 */
export async function openServedSettings(
  projects: readonly ServedProject[],
  { host, flags }: Pick<RunContext, 'host' | 'flags'>,
): Promise<ServedSettings> {
  let serve: Settings['serve']
  let redacts = false
  for (const { cwd } of projects) {
    const { settings, trust } = await openSettings({ ...host, cwd }, readOwnSettings(flags))
    serve ??= settings.serve
    redacts ||= settings.redact_sessions === true
    if (trust.trusted !== true && isProject(trust.root) && !flags.has('quiet'))
      printWarning(
        host,
        `${trust.root} is not trusted, so its own settings and agents do not apply; to trust it: pipe trust, or --trust for this run`,
      )
  }
  return { ...serve, redacts }
}
