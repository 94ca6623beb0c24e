import { localUser } from '../../../actor.ts'
import type { AuditLog } from '../../../audit.ts'
import { isLooser, readPermissionMode } from '../../../config/permission-mode.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import type { PermissionMode } from '../../../permission.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { WireContext } from '../wire-context.ts'

export interface ModeParts {
  readonly policy: Pick<ModePolicy, 'mode'>
  readonly audit: Pick<AuditLog, 'append'>
  /** Whether other conversations work in the same mode. */
  readonly isShared: boolean
}

/** Sets the mode that a hook wants, in any agent's word for it, until the conversation ends. Returns what to tell the user, if anything. */
export function setModeByHook(
  word: string,
  by: string,
  { policy, audit, isShared }: ModeParts,
  context: Pick<WireContext, 'choices' | 'agent'>,
): string | undefined {
  const [from, to] = [policy.mode, readPermissionMode(word)]
  const objection = to === undefined ? 'there is no such mode' : objectionTo(to, { from, isShared }, context)
  if (to === undefined || objection !== undefined)
    return visibleLine(`the hook ${by} cannot set the mode ${word.slice(0, 40)}: ${objection}`)
  if (to === from) return undefined
  audit.append({ decision: 'mode_set', actor: localUser, audit: { from, to, source: by } })
  policy.mode = to
  return visibleLine(`the hook ${by} sets the mode ${to}`)
}

/** A mode must not do what an allow rule could not, as a hook's yes to one call does not. */
function objectionTo(
  to: PermissionMode,
  { from, isShared }: { readonly from: PermissionMode; readonly isShared: boolean },
  { choices, agent }: Pick<WireContext, 'choices' | 'agent'>,
): string | undefined {
  if (isShared) return 'the records of this run share one mode'
  if (!isLooser(to, from)) return undefined
  if (to === 'bypass' || from === 'plan') return `only you can change from ${from} to ${to}`
  if (choices.parent !== undefined) return 'an elf works in no looser mode than it was given'
  if (choices.isForData === true) return 'a run over data allows only what its command line does'
  return agent?.refusalOf(to)?.message
}
