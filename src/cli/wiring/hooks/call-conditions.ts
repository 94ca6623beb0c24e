import type { Actor } from '../../../actor.ts'
import type { HookRunnerOptions } from '../../../hooks/hook-runner.ts'
import { createPolicy, type ModePolicy } from '../../../permission/policy.ts'
import { readRule } from '../../../permission/rules/rule.ts'
import type { Machine } from '../../machine.ts'
import { policyWorld } from '../tools/judge.ts'

/** Tells whether a call is one that a permission rule is about. One that may be counts too, as a command that cannot be read. */
export function callConditions(machine: Machine, actor: Actor): HookRunnerOptions['isCovered'] {
  const policies = new Map<string, ModePolicy>()
  const world = policyWorld(machine)
  const policyOf = (text: string): ModePolicy => {
    const rule = readRule({ text, behavior: 'ask', source: 'user' }, world)
    const known =
      policies.get(text) ??
      createPolicy({ ...world, mode: 'bypass', rules: [rule], trusted: true, sandboxed: false })
    policies.set(text, known)
    return known
  }
  return async (text, { tool, args }) => {
    const { behavior, rule } = await policyOf(text).judge({ tool, arguments: args, actor })
    return behavior === 'ask' && rule === text
  }
}

/** Says what is wrong with a rule; `undefined` for a good one. Throws nothing else. */
export function ruleFault(text: string, { cwd, home }: Pick<Machine, 'cwd' | 'home'>): string | undefined {
  try {
    readRule({ text, behavior: 'ask', source: 'user' }, { cwd, home })
    return undefined
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}
