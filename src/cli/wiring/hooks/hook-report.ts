import type { HookFile } from '../../../config/hooks/hook-files.ts'
import { formatDuration } from '../../../frontend/words/duration.ts'
import { type Hook, handlerText } from '../../../hooks/hook.ts'
import type { HookEnd } from '../../../hooks/hook-runner.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { Machine } from '../../machine.ts'
import { readUsable } from './open-hooks.ts'

/** Describes hooks by their events: what each does, where it comes from, whether it runs, and how it last ended. */
export function describeHooksByEvent(
  files: readonly HookFile[],
  ends: readonly (readonly [Hook, HookEnd | undefined])[],
  machine: Pick<Machine, 'cwd' | 'home'>,
): string {
  const read = files.map((file) => ({ file, ...readUsable(file, machine) }))
  const problems = read.flatMap(({ problems: found }) => found.map((text) => `does not run: ${text}`))
  const hooks = read.flatMap(({ file, hooks: found }) => found.map((hook) => ({ hook, file })))
  const events = [...new Set(hooks.map(({ hook }) => hook.event))]
  const lines = events.flatMap((event) => [
    event,
    ...hooks
      .filter(({ hook }) => hook.event === event)
      .flatMap(({ hook, file }) => describeHook(hook, stateOf(hook, file, ends))),
  ])
  const all = [...lines, ...problems].map(visibleLine)
  return all.length === 0 ? 'there are no hooks' : all.join('\n')
}

function describeHook(hook: Hook, state: string): readonly string[] {
  const { matcher, condition, handler, status, source } = hook
  const when = [matcher, condition && `if ${condition}`].filter(Boolean).join(', ')
  const name = status === undefined ? '' : ` (${status})`
  return [`  ${when === '' ? '' : `${when}: `}${handlerText(handler)}${name}`, `    ${source}: ${state}`]
}

/** Says whether a hook runs, and how it ended last in this conversation. */
function stateOf(
  hook: Hook,
  { isApproved }: HookFile,
  ends: readonly (readonly [Hook, HookEnd | undefined])[],
): string {
  if (!isApproved) return 'skipped, because it is not approved: run pipe trust'
  const [, end] = ends.find(([one]) => isSame(one, hook)) ?? []
  if (end === undefined) return 'runs; it has not run here yet'
  const told = end.notices.length === 0 ? '' : `: ${end.notices.join('; ')}`
  return `runs; it ended last after ${formatDuration(end.durationMs)} with ${end.outcome}${told}`
}

function isSame(one: Hook, other: Hook): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
