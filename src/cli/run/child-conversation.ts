import { isSameAgent } from '../../actor.ts'
import type { Layer } from '../../config/layers.ts'
import { isLooser } from '../../config/permission-mode.ts'
import { type ModelChoice, modelName } from '../../engine.ts'
import type { Checkpoints } from '../../history/checkpoint.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ChildConversation, ConversationRequest, OpenConversation } from '../../open-conversation.ts'
import type { PermissionMode } from '../../permission.ts'
import type { Choices } from '../wiring/run-choices.ts'
import type { ParentConversation } from '../wiring/wire-context.ts'
import { wire } from '../wiring/wiring.ts'
import { createComposer } from './message/message-composer.ts'

/**
 * Opens conversations that work for another one: with the settings, the trust and the rules of its folder, in no looser mode, and from its
 * budget. They start no elves of their own.
 */
export function openChildren(parent: ParentConversation): OpenConversation {
  return async (request, { signal }) => {
    const warnings: string[] = []
    const machine = { ...parent.machine, warn: (line: string) => warnings.push(line) }
    const choices = choicesOf(request, parent)
    const parts = {
      ...parent.parts,
      checkpoints: request.cwd === undefined ? parent.checkpoints : noCheckpoints,
    }
    const wired = await wire({ machine, choices, parts, signal })
    const at = request.cwd === undefined ? machine : { ...machine, cwd: request.cwd }
    return {
      engine: wired.conversation.engine,
      sessionId: wired.sessionId,
      model: wired.model(),
      warnings: [...warnings, ...wired.warnings],
      compose: createComposer({ ...wired, isByModel: true }, [], at),
      close: async () => {
        await wired.close()
        return wired.auditHead()
      },
    } satisfies ChildConversation
  }
}

function choicesOf(request: ConversationRequest, parent: ParentConversation): Choices {
  const { choices } = parent
  const { agent, actor, taskId, capabilities, limits, session, cwd, parent: call } = request
  const mode: Layer = {
    source: { type: 'flag', name: 'the conversation that started it' },
    settings: { permissions: { mode: modeOf(request, parent.policy.mode) } },
  }
  const { model: _, agent: __, record: ___, lockWaitMs: ____, maxReplyTokens, ...others } = choices
  // What the user demands of the answer, and calls it, is for that of the run alone.
  const { check: _____, demands: ______, title: _______, ...kept } = others
  return {
    ...kept,
    layers: [...choices.layers, mode],
    session: session === undefined || !choices.isSaved ? { type: 'new' } : { type: 'named', id: session },
    limits,
    budget: parent.budget,
    interactive: false,
    mayAskForTitle: false,
    actor,
    agent,
    taskId: taskId ?? kept.taskId,
    capabilities: capabilities ?? kept.capabilities,
    worktree: cwd ?? kept.worktree,
    parent: call ?? kept.parent,
    limitsOfAgents: inherited(choices.limitsOfAgents, agent),
    maxReplyTokens,
    model: request.model,
    usualModel: nameOf(parent),
  }
}

/** Takes over the limits of the agent that starts another one. Agents that its file names have the tools of their own files. */
function inherited(limits: Choices['limitsOfAgents'], agent: string | undefined): Choices['limitsOfAgents'] {
  return limits?.map(({ tools, onlyCalls, ...others }) => {
    const isNamed = agent !== undefined && others.startable?.some((one) => isSameAgent(one, agent))
    return isNamed === true ? others : { ...others, ...omitUndefined({ tools, onlyCalls }) }
  })
}

/**
 * Returns the mode of a conversation that is started in this mode. Edits in a folder of its own need no question: its work is reviewed as
 * one diff.
 */
export function modeOf(
  { mode: loosest, cwd }: Pick<ConversationRequest, 'mode' | 'cwd'>,
  inForce: PermissionMode,
): PermissionMode {
  const own = cwd !== undefined && inForce === 'default' ? 'accept-edits' : inForce
  return loosest !== undefined && isLooser(own, loosest) ? loosest : own
}

/** The parent's model, by its name if it has one that can be opened. */
function nameOf({ choices, model }: ParentConversation): string | ModelChoice {
  const { choice } = model
  if (typeof choices.model === 'object') return choice
  const { thinking } = choice
  return thinking === undefined ? modelName(choice) : `${modelName(choice)}:${thinking}`
}

/** Nothing to undo: the folder is not the user's. */
export const noCheckpoints: Checkpoints = {
  begin: () => undefined,
  save: async () => undefined,
  keep: async () => undefined,
  end: async () => undefined,
}
