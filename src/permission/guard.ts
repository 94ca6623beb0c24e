import { PipeError } from '../error.ts'
import type { NewId } from '../id.ts'
import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { omitUndefined } from '../omit-undefined.ts'
import {
  allowOnce,
  type Decision,
  grants,
  type JudgedCall,
  nobodyToAsk,
  type PermissionPolicy,
} from '../permission.ts'
import { errorResult, type Tool, type ToolContext, type ToolExecutor, type ToolResult } from '../tool.ts'

export interface GuardOptions {
  readonly policy: PermissionPolicy
  readonly newId: NewId
  /**
   * Handles a call that needs the user's approval: `ask` yields a question, `deny` refuses the call and tells the model, `stop`
   * throws `permission`, which ends the turn.
   */
  readonly onAsk: 'ask' | 'deny' | 'stop'
  /** Saves rules for later runs when the user chooses "always". Default: "always" is not offered. */
  readonly saveRules?: (rules: readonly string[]) => Promise<void>
}

/** Wraps an executor so that no call runs before the policy, or the user it asks, has allowed it. */
export function guard(executor: ToolExecutor, options: GuardOptions): ToolExecutor {
  const find = (name: string) => executor.tools().find((tool) => tool.name === name)
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = find(name)
      if (tool === undefined) return yield* executor.execute(name, args, context)
      const call = { tool, arguments: args, actor: context.actor }
      const decision = await options.policy.judge(call)
      const { confined = false, changesNothing = false, judgedPath } = decision
      const judged = { ...context, confined, changesNothing, ...omitUndefined({ judgedPath }) }
      const refusal = yield* admit(call, decision, options, judged)
      return refusal ?? (yield* executor.execute(name, args, judged))
    },
  }
}

/** Returns the result for a refused call; `undefined` if the call may run. */
async function* admit(
  call: JudgedCall & { readonly tool: Tool },
  decision: Decision,
  options: GuardOptions,
  context: ToolContext,
): AsyncGenerator<
  { type: 'interaction'; interaction: Interaction; judgedPath?: string },
  ToolResult | undefined,
  InteractionResponse | undefined
> {
  const { policy, newId, onAsk, saveRules } = options
  const { decided } = context
  const { tool } = call
  const mayAsk = decision.behavior === 'ask' && onAsk === 'ask'
  if (!mayAsk) await decided?.({ granted: decision.behavior === 'allow', decision })
  if (decision.behavior === 'allow') return undefined
  if (decision.behavior === 'deny') return denied(decision.reason, decision)
  if (onAsk === 'stop') {
    throw new PipeError(
      'permission',
      `${tool.name} needs a permission and nobody can be asked: ${decision.reason}`,
      {
        details: { tool: tool.name, call_id: context.callId, reason: decision.reason },
      },
    )
  }
  if (onAsk === 'deny') return denied(`${decision.reason}, and ${nobodyToAsk}`, decision)
  const rules = saveRules === undefined ? [] : await policy.suggestRules(call)
  const isToSay = saveRules !== undefined && rules.length === 0
  const whyNoRule = isToSay ? await policy.whyNoRule?.(call) : undefined
  const diff = await tool.preview?.(call.arguments, context)
  const asked: Asked = { call, decision, rules, ...omitUndefined({ diff, whyNoRule }) }
  const { judgedPath } = context
  const interaction = question(asked, newId)
  const response = yield { type: 'interaction', interaction, ...omitUndefined({ judgedPath }) }
  const refusal = await heed(response, asked, options)
  await decided?.({ granted: refusal === undefined, decision, ...omitUndefined({ response }) })
  return refusal
}

interface Asked {
  readonly call: JudgedCall & { readonly tool: Tool }
  readonly decision: Decision
  /** The rules to save with "always". */
  readonly rules: readonly string[]
  readonly diff?: string
  /** Explains why "always" is not offered. */
  readonly whyNoRule?: string
}

async function heed(
  response: InteractionResponse | undefined,
  { call: { tool }, decision, rules }: Asked,
  { policy, saveRules }: GuardOptions,
): Promise<ToolResult | undefined> {
  if (response === undefined || response.cancelled === true)
    return denied('the question was not answered', decision)
  switch (response.selectedOptionId) {
    case allowOnce:
      return undefined
    case grants.session:
      policy.allowForSession(tool)
      return undefined
    case grants.always:
      policy.allowRules(rules)
      await saveRules?.(rules)
      return undefined
    default: {
      const said = response.comment === undefined ? '' : `: ${response.comment}`
      return denied(`the user said no${said}`, decision)
    }
  }
}

function denied(reason: string, decision: Decision): ToolResult {
  return errorResult(`Permission denied: ${reason}. The call was not carried out.`, {
    permission: 'denied',
    reason,
    source: decision.source,
    ...omitUndefined({ rule: decision.rule }),
  })
}

function question({ call, decision, rules, diff, whyNoRule }: Asked, newId: NewId): Interaction {
  const { tool, arguments: args } = call
  const { reason } = decision
  const about = {
    title: `Allow ${tool.name}?`,
    description: whyNoRule === undefined ? reason : `${reason} (no "always": ${whyNoRule})`,
  }
  const always: readonly InteractionOption[] =
    rules.length === 0 ? [] : [{ id: grants.always, label: `Yes, always: ${rules.join(', ')}` }]
  return {
    id: newId.interaction(),
    kind: 'select',
    purpose: 'confirm_risky_action',
    display:
      diff === undefined
        ? { ...about, content: args, contentKind: 'json' }
        : { ...about, content: diff, contentKind: 'diff' },
    options: [
      { id: allowOnce, label: 'Yes, once', style: 'primary' },
      { id: grants.session, label: `Yes, and every ${tool.name} call until pipe exits` },
      ...always,
      { id: 'deny', label: 'No', style: 'danger', isDefault: true },
    ],
  }
}
