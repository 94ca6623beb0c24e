import { noCheckpoints } from '../../../history/checkpoint.ts'
import type { PermissionMode } from '../../../permission.ts'
import type { OpenTaskConversation } from '../../../tasks/attempt.ts'
import type { Machine } from '../../machine.ts'
import type { RunSettings } from '../../wiring/run-choices.ts'
import type { ForeignParts } from '../../wiring/wire-context.ts'
import type { Wired } from '../../wiring/wired.ts'
import { wire } from '../../wiring/wiring.ts'
import { modeOf, openChildren } from '../child-conversation.ts'
import { createComposer } from '../message/message-composer.ts'

export interface TaskConversations {
  /** The folder whose settings, trust and rules are in force. */
  readonly machine: Machine
  readonly own: RunSettings
  /** The mode in force. Tasks only tighten it. */
  readonly mode: PermissionMode
  /** `provider/model[:level]` of tasks that name none. Default: the usual one. */
  readonly model?: string | undefined
  /** Returns the stores of an attempt's session and audit log. Default: those on this machine. */
  readonly partsOf: (attempt: number) => Promise<Pick<ForeignParts, 'store' | 'openAudit'>>
}

/** Milliseconds to wait for the session of a task that another worker is closing. */
export const lockWaitMs = 10_000

type OpenedWork = Awaited<ReturnType<OpenTaskConversation>>

/** Opens the conversations of tasks, each in a folder of its own. Their questions wait for whoever answers. */
export function openTaskConversations(options: TaskConversations): OpenTaskConversation {
  const { own, mode, model: usualModel } = options
  return async (
    { agent, model, actor, capabilities, taskId, limits, cwd, mode: loosest, session, attempt },
    { signal },
  ) => {
    const warnings: string[] = []
    const machine = { ...options.machine, warn: (line: string) => warnings.push(line) }
    const taskMode = modeOf({ cwd, mode: loosest }, mode)
    const wired = await wire({
      machine,
      choices: {
        layers: [
          ...own.layers,
          { source: { type: 'flag', name: 'the task' }, settings: { permissions: { mode: taskMode } } },
        ],
        trusts: own.trusts,
        session: session === undefined ? { type: 'new' } : { type: 'named', id: session },
        isSaved: true,
        lockWaitMs,
        limits,
        actor,
        onAsk: 'ask',
        interactive: false,
        mayAskForTitle: false,
        agent,
        model,
        usualModel,
        capabilities,
        taskId,
        worktree: cwd,
      },
      parts: {
        ...(await options.partsOf(attempt)),
        ...(cwd === undefined ? {} : { checkpoints: noCheckpoints }),
      },
      children: openChildren,
      signal,
    })
    return openedWork(wired, { machine: cwd === undefined ? machine : { ...machine, cwd }, warnings })
  }
}

/** Offers a wired conversation to whoever carries out the task. `machine`: seen from the folder of the task. */
export function openedWork(
  wired: Wired,
  { machine, warnings }: { readonly machine: Machine; readonly warnings: readonly string[] },
): OpenedWork {
  return {
    engine: wired.conversation.engine,
    sessionId: wired.sessionId,
    model: wired.model(),
    warnings: [...warnings, ...wired.warnings],
    // A model may have written the task.
    compose: createComposer({ ...wired, called: undefined }, [], machine),
    close: async () => {
      await wired.close()
      return wired.auditHead()
    },
  }
}
