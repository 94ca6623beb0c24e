import type { Actor } from '../../../actor.ts'
import { CheckDemand, type CheckRun } from '../../../answers/check-demand.ts'
import { textContent } from '../../../message.ts'
import type { ToolContext, ToolExecutor } from '../../../tool.ts'
import type { Choices } from '../run-choices.ts'

export interface CheckParts {
  /** The tools without the guard: nobody asks about a command of the user. */
  readonly builtin: ToolExecutor
  readonly actor: Actor
  /** Whether commands are confined to the sandbox now. */
  readonly isConfined: () => Promise<boolean>
}

/** The longest time of a check, in seconds: that of any command. */
const timeout = 600

/** Opens the user's check. It runs as commands of the model do, because it may run what the model wrote. */
export function openCheck(
  { command, tries }: NonNullable<Choices['check']>,
  { builtin, actor, isConfined }: CheckParts,
): CheckDemand {
  return new CheckDemand({
    command,
    tries,
    run: async (signal) => {
      const context = { callId: 'check', signal, actor, confined: await isConfined() }
      return runCheck(builtin, command, context)
    },
  })
}

async function runCheck(builtin: ToolExecutor, command: string, context: ToolContext): Promise<CheckRun> {
  const run = builtin.execute('bash', { command, timeout, on_timeout: 'kill' }, context)
  for (;;) {
    const step = await run.next()
    if (step.done === true) return { passed: !step.value.isError, text: textContent(step.value) }
  }
}
