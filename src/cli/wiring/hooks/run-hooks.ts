import { findHookFiles } from '../../../config/hooks/hook-files.ts'
import type { WireContext } from '../wire-context.ts'
import type { HookParts, OpenedHooks } from './open-hooks.ts'

/** Says that hooks of a project do not run. */
const notApproved = 'hooks of this project are not approved: run pipe trust'

/** Opens the hooks of a run. Without any, loads no code that runs them. */
export async function openRunHooks(context: WireContext, parts: HookParts): Promise<OpenedHooks> {
  const { directories, loaded, choices } = context
  if (choices.runsHooks === false) return { warnings: [] }
  const { files, warnings } = await findHookFiles({
    config: directories.config,
    trust: loaded.trust,
    own: loaded.settings.hooks,
    plugins: loaded.plugins,
    told: loaded.warnings,
    given: loaded.given,
  })
  const usual = files.filter(({ isApproved }) => isApproved)
  const waiting = usual.length < files.length ? [notApproved] : []
  const approved = [...usual, ...(choices.agentHooks ?? [])]
  const opened: OpenedHooks =
    approved.length === 0 && choices.callbacks === undefined && !parts.mayBeLent
      ? { warnings: [] }
      : (await import('./open-hooks.ts')).openHooks(context, approved, parts)
  // The user was told when the conversation began that an elf works for.
  const told = choices.parent === undefined ? [...waiting, ...warnings, ...opened.warnings] : []
  return { ...opened, warnings: told }
}
