import type { WireContext } from '../wire-context.ts'
import { hooksNotApproved, hooksOfRun } from './hooks-of-run.ts'
import type { HookParts, OpenedHooks } from './open-hooks.ts'

/** Opens the hooks of a run. Without any, loads no code that runs them. */
export async function openRunHooks(context: WireContext, parts: HookParts): Promise<OpenedHooks> {
  const { machine, loaded, choices } = context
  if (choices.runsHooks === false) return { warnings: [] }
  const { files, warnings } = await hooksOfRun(machine, loaded, loaded.warnings)
  const usual = files.filter(({ isApproved }) => isApproved)
  const waiting = usual.length < files.length ? [hooksNotApproved] : []
  const approved = [...usual, ...(choices.agentHooks ?? [])]
  const opened: OpenedHooks =
    approved.length === 0 && choices.callbacks === undefined && !parts.mayBeLent
      ? { warnings: [] }
      : (await import('./open-hooks.ts')).openHooks(context, approved, parts)
  // The user was told when the conversation began that an elf works for.
  const told = choices.parent === undefined ? [...waiting, ...warnings, ...opened.warnings] : []
  return { ...opened, warnings: told }
}
