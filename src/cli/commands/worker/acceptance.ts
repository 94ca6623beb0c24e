import { ownAgent } from '../../../actor.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import { findOrigin, hasCommit } from '../../../git/worktrees/origin.ts'
import type { TaskId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { TaskView } from '../../../task.ts'
import { agentNameOf } from '../../../tasks/attempt.ts'
import type { WorkingOptions } from '../../../tasks/worker.ts'
import { printWarning } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { readAgents } from '../../wiring/found-agents.ts'
import { requireAgent } from '../../wiring/run-agent.ts'
import { describeWorkPlace } from '../../wiring/tasks/task-place.ts'

interface AcceptanceParts {
  readonly commands: CommandRunner
  /** Fetches what the store keeps of a task's files. Returns false if it keeps none. */
  readonly fetch: (taskId: TaskId, signal: AbortSignal) => Promise<boolean>
  /** Whether the work of the last attempt is in the repository here. */
  readonly isHere: WorkingOptions['isHere']
  /** Whether the store keeps work for other machines. */
  readonly isShared: boolean
}

/** Decides which tasks a worker takes: those of its repository, for agents that are defined here, whose first commit is here. */
export async function openAcceptance(
  { host, flags, signal }: RunContext,
  loaded: LayeredSettings,
  { commands, fetch, isHere, isShared }: AcceptanceParts,
): Promise<Required<Pick<WorkingOptions, 'accepts' | 'canBegin'>>> {
  const { cwd, env } = host
  const place = { commands, cwd, searchPath: env['PATH'] ?? '' }
  const origin = await findOrigin({ ...place, signal })
  const repositories = new Set([...(origin?.roots ?? []), cwd])
  const found = await readAgents(host, loaded, signal)
  const only = flags.text('agent')?.replace(/^agent_/, '')
  if (only !== undefined && `agent_${only}` !== ownAgent) requireAgent(only, found)
  const isForUs = (task: TaskView) => {
    if (only !== undefined) return task.agentId === `agent_${only}`
    const agent = agentNameOf(task)
    return agent === undefined || found.agents.has(agent)
  }
  const known = new Set<string>()
  const told = new Set<string>()
  const refuse = (taskId: TaskId, line: string) => {
    if (!told.has(taskId)) printWarning(host, line)
    told.add(taskId)
    return false
  }
  return {
    accepts: (task) => repositories.has(task.options?.repo ?? '') && isForUs(task),
    canBegin: async (task, asked) => {
      const { options, taskId } = task
      if (!isShared && !(await isHere(task, asked))) return refuse(taskId, describeWorkPlace(task))
      const { base } = options ?? {}
      if (base === undefined || known.has(base)) return true
      const isPresent = () => hasCommit({ ...place, ...asked }, base)
      if ((await isPresent()) || ((await fetch(taskId, asked.signal)) && (await isPresent()))) {
        known.add(base)
        return true
      }
      return refuse(taskId, `task ${taskId} starts from the commit ${base}, which is not here; fetch it`)
    },
  }
}
