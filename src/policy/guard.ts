import { PipeError } from '../error.ts'
import type { NewId } from '../id.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { JsonValue } from '../json-value.ts'
import type { Decision, PermissionPolicy } from '../permission.ts'
import { errorResult, type Tool, type ToolContext, type ToolExecutor, type ToolResult } from '../tool.ts'

export interface GuardOptions {
  readonly policy: PermissionPolicy
  readonly newId: NewId
  /**
   * What becomes of a call that needs a person's word: `ask` yields a question; `deny` refuses it and tells the model;
   * `stop` throws `permission`, which ends the turn.
   */
  readonly onAsk: 'ask' | 'deny' | 'stop'
}

/** The gate around every tool: nothing of the executor runs before the policy, or the person it asks, has allowed it. */
export function guard(executor: ToolExecutor, options: GuardOptions): ToolExecutor {
  const find = (name: string) => executor.tools().find((tool) => tool.name === name)
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = find(name)
      const refusal = tool === undefined ? undefined : yield* admit(tool, args, context, options)
      return refusal ?? (yield* executor.execute(name, args, context))
    },
  }
}

/** The result of a refused call; `undefined` for one that may run. */
async function* admit(
  tool: Tool,
  args: JsonValue,
  context: ToolContext,
  { policy, newId, onAsk }: GuardOptions,
): AsyncGenerator<
  { type: 'interaction'; interaction: Interaction },
  ToolResult | undefined,
  InteractionResponse | undefined
> {
  const decision = policy.judge({ tool, arguments: args, actor: context.actor })
  if (decision.behavior === 'allow') return undefined
  if (decision.behavior === 'deny') return denied(decision.reason, decision)
  if (onAsk === 'stop') {
    throw new PipeError(
      'permission',
      `${tool.name} needs a permission and nobody can be asked: ${decision.reason}`,
      {
        details: { tool: tool.name, reason: decision.reason },
      },
    )
  }
  if (onAsk === 'deny')
    return denied(`${decision.reason}, and nobody can be asked for permission here`, decision)
  const response = yield { type: 'interaction', interaction: question(tool, args, decision, newId) }
  return heed(response, tool, decision, policy)
}

function heed(
  response: InteractionResponse | undefined,
  tool: Tool,
  decision: Decision,
  policy: PermissionPolicy,
): ToolResult | undefined {
  if (response === undefined || response.cancelled === true)
    return denied('the question was not answered', decision)
  switch (response.selectedOptionId) {
    case 'allow':
      return undefined
    case 'allow_session':
      policy.allowForSession(tool)
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
    ...(decision.rule === undefined ? {} : { rule: decision.rule }),
  })
}

function question(tool: Tool, args: JsonValue, decision: Decision, newId: NewId): Interaction {
  return {
    id: newId.interaction(),
    kind: 'select',
    purpose: 'confirm_risky_action',
    display: {
      title: `Allow ${tool.name}?`,
      description: decision.reason,
      content: args,
      contentKind: 'json',
    },
    options: [
      { id: 'allow', label: 'Yes, once', style: 'primary' },
      { id: 'allow_session', label: `Yes, and every ${tool.name} call until pipe exits` },
      { id: 'deny', label: 'No', style: 'danger', isDefault: true },
    ],
  }
}
