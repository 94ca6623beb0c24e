import { isSameAgent } from '../../actor.ts'
import type { HookFile } from '../../config/hooks/hook-files.ts'
import type { Layer } from '../../config/layers.ts'
import { isLooser } from '../../config/permission-mode.ts'
import { type ModelChoice, modelName } from '../../engine.ts'
import { noCheckpoints } from '../../history/checkpoint.ts'
import { isJsonObject } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ChildConversation, ConversationRequest, OpenConversation } from '../../open-conversation.ts'
import type { ModePolicy } from '../../permission/policy.ts'
import type { PermissionMode } from '../../permission.ts'
import { hooksOfElf } from '../wiring/hooks/hooks-of-elf.ts'
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
      ...(request.forHook !== true && { lentToParent: lentFrom(parent) }),
      checkpoints: request.cwd === undefined ? parent.checkpoints : noCheckpoints,
    }
    const wired = await wire({ machine, choices, parts, signal, judges: openChildren })
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

/** Returns what is lent to a conversation now, as long as it is: one that began before has nothing of it. */
export function lentFrom({
  policy,
}: {
  readonly policy: Pick<ModePolicy, 'lentRules'>
}): ModePolicy['lentRules'] {
  const atStart = policy.lentRules()
  return () => policy.lentRules().filter((rule) => atStart.includes(rule))
}

function choicesOf(request: ConversationRequest, parent: ParentConversation): Choices {
  const { choices } = parent
  const isJudge = request.forHook === true
  const { agent, actor, taskId, capabilities, limits, session, cwd, parent: call, thinking } = request
  const mode: Layer = {
    source: { type: 'flag', name: 'the conversation that started it' },
    settings: { permissions: { mode: isJudge ? 'plan' : modeOf(request, parent.policy.mode) } },
  }
  const { model: _, agent: __, record: ___, lockWaitMs: ____, maxReplyTokens, ...others } = choices
  // What the user demands of the answer, and calls it, is for that of the run alone.
  const { check: _____, demands: ______, title: _______, params: ________, ...kept } = others
  return {
    ...kept,
    ...(isJudge && judging),
    layers: [...choices.layers, mode],
    session:
      session === undefined || !choices.isSaved || isJudge ? { type: 'new' } : { type: 'named', id: session },
    limits,
    agentHooks: [...(choices.agentHooks ?? []), ...parent.lentHooks().map(ofElf)],
    budget: parent.budget,
    interactive: false,
    mayAskForTitle: false,
    actor,
    agent,
    taskId: taskId ?? kept.taskId,
    capabilities: capabilities ?? kept.capabilities,
    worktree: cwd ?? kept.worktree,
    parent: call ?? kept.parent,
    limitsOfAgents: isJudge ? judgeLimits(choices.limitsOfAgents) : inherited(choices.limitsOfAgents, agent),
    maxReplyTokens,
    model: request.model,
    thinking: thinking ?? kept.thinking,
    thinkingOfCall: thinking,
    usualModel: nameOf(parent),
  }
}

/** Lets hooks of the end of a turn run at the end of the elf. */
function ofElf(file: HookFile): HookFile {
  return isJsonObject(file.hooks) ? { ...file, hooks: hooksOfElf(file.hooks) } : file
}

/** The choices of a conversation that judges for a hook. A hook in it would begin another such conversation, without end. */
const judging = { isSaved: false, onAsk: 'deny', permissionTool: undefined, runsHooks: false } as const

/** Lets a judge read whatever tools the judged agent has. What the agent must not call holds for it too. */
function judgeLimits(limits: Choices['limitsOfAgents'] = []): Choices['limitsOfAgents'] {
  const kept = limits.map(({ tools: _, onlyCalls: __, startable: ___, ...others }) => others)
  return [...kept, { name: 'hook', tools: ['read', 'grep', 'glob'], servers: [] }]
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
  const { inForce } = model
  if (typeof choices.model === 'object') return inForce
  const { thinking } = inForce
  return thinking === undefined ? modelName(inForce) : `${modelName(inForce)}:${thinking}`
}
