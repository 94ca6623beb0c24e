import { hasCode } from '../error.ts'
import type { NewId } from '../id.ts'
import type { CallInQuestion, Interaction } from '../interaction.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Decision, Explanation, JudgedCall, PermissionPolicy } from '../permission.ts'
import { errorResult, type Revisable, type Tool, type ToolContext, type ToolResult } from '../tool.ts'
import { approvalQuestion, consentQuestion } from './approval.ts'

export interface SaveRules {
  /** The file that the rules are saved in, as people write it: `~/.config/pipe/config.json`. */
  readonly file: string
  save(rules: readonly string[]): Promise<void>
}

/** The facts that the words of a question need. */
export interface AskingOptions {
  readonly policy: PermissionPolicy
  readonly newId: NewId
  /** Saves rules for later runs when the user chooses "always". Default: "always" is not offered. */
  readonly saveRules?: SaveRules
}

/** A question that is about to be asked. */
export interface CallToApprove {
  readonly call: JudgedCall & { readonly tool: Tool }
  readonly decision: Decision
  /** The rules that "this session" and "always" add, and their form in the question. */
  readonly rules: readonly string[]
  readonly shown: readonly string[]
  readonly interaction: Interaction
  /** The text that the model proposed, which the user may change. */
  readonly revisable?: Revisable | undefined
  /** Tells the model what the user changed so far. */
  readonly note?: string
}

/** Words the question about a call. Returns the result of a call that need not be asked about, as its tool refuses it. */
export async function prepareQuestion(
  call: CallToApprove['call'],
  decision: Decision,
  { policy, newId, saveRules }: AskingOptions,
  context: ToolContext,
): Promise<CallToApprove | ToolResult> {
  const { tool, arguments: args } = call
  const refusal = await tool.refuse?.(args)
  if (refusal !== undefined) return refusal
  const id = newId.interaction()
  if (tool.consent !== undefined) {
    try {
      const display = await tool.consent(args)
      const question = { ...consentQuestion(display, id), call: askedCall(call) }
      return { call, decision, rules: [], shown: [], interaction: question }
    } catch (error) {
      if (hasCode(error, 'invalid')) return errorResult(error.message)
      throw error
    }
  }
  const rules = await policy.suggestRules(call)
  const whyNoRule = rules.length === 0 ? await policy.whyNoRule?.(call) : undefined
  const preview = await tool.preview?.(args, context)
  if (typeof preview === 'object') return preview
  const explanation = (await policy.explain?.(call, rules)) ?? unexplained(call, rules)
  const more = omitUndefined({ diff: preview, whyNoRule, rulesFile: saveRules?.file })
  const approval = { explanation, reason: decision.reason, arguments: args, ...more }
  const revisable = preview === undefined ? undefined : await tool.revisable?.(args, context)
  const proposal = revisable && { path: revisable.path, text: revisable.text }
  const offered = rules.length === 0 ? undefined : rules
  const asking = { ...askedCall(call), ...omitUndefined({ rules: offered, proposal }) }
  const interaction = { ...approvalQuestion(approval, id), call: asking }
  return { call, decision, rules, shown: explanation.rules, interaction, revisable }
}

function askedCall({ tool, arguments: args }: CallToApprove['call']): CallInQuestion {
  return { name: tool.name, arguments: args }
}

function unexplained({ tool }: CallToApprove['call'], rules: readonly string[]): Explanation {
  const covered = rules.join(', ')
  return { title: `Use ${tool.name}?`, dangers: [], covered, all: `every use of ${tool.name}`, rules }
}

/** Words the question about a call whose text the user changed. One that would change nothing, or that its tool refuses, is asked about as before. */
export async function reviseQuestion(
  before: CallToApprove,
  text: string,
  options: AskingOptions,
  context: ToolContext,
): Promise<CallToApprove | { readonly denial: Decision }> {
  const again = async () => ({
    ...before,
    interaction: { ...before.interaction, id: options.newId.interaction() },
  })
  const revised = before.revisable?.revised(text)
  if (revised === undefined) return again()
  const call = { ...before.call, arguments: revised.arguments }
  const decision = await options.policy.judge(call)
  if (decision.behavior === 'deny') return { denial: decision }
  const asked = await prepareQuestion(call, decision, options, context)
  return 'content' in asked
    ? again()
    : {
        ...asked,
        decision: before.decision,
        note: revised.note,
        // The model is told the difference from its own text.
        revisable: before.revisable,
      }
}
