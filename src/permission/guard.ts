import { failureOf, PipeError } from '../error.ts'
import type { Notice, RulesSaved } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { allowOnce, type Decision, grants, type JudgedCall, nobodyToAsk } from '../permission.ts'
import {
  errorResult,
  type Tool,
  type ToolContext,
  type ToolExecutor,
  type ToolResult,
  withText,
} from '../tool.ts'
import { type AskingOptions, type CallToApprove, prepareQuestion, reviseQuestion } from './asked-call.ts'

export interface GuardOptions extends AskingOptions {
  /**
   * Handles a call that needs the user's approval: `ask` yields a question, `deny` refuses the call and tells the model, `stop`
   * throws `permission`, which ends the turn.
   */
  readonly onAsk: 'ask' | 'deny' | 'stop'
  /** Asked before the user is. What it allows is worth as much as an allow rule. Default: nobody answers for the user. */
  readonly beforeAsking?: (
    call: JudgedCall & { readonly tool: Tool },
    context: ToolContext,
  ) => Promise<ProgramAnswer | undefined>
  /** Answers instead of the user, as the user chose for the run. Not where words of theirs are needed. Default: the user answers. */
  readonly deputy?: Deputy
}

/** Answers a question for the user, and may change the call. Throws what ends the turn. */
export type Deputy = (
  call: JudgedCall & { readonly tool: Tool },
  context: ToolContext,
) => Promise<ProgramAnswer & { readonly arguments?: JsonValue }>

/** Holds a program's word on a call that needs a permission. */
export interface ProgramAnswer {
  readonly behavior: 'allow' | 'deny'
  /** Names who says it. */
  readonly by: string
  readonly reason: string
}

/** Wraps an executor so that no call runs before the policy, or the user it asks, has allowed it. */
export function guard(executor: ToolExecutor, options: GuardOptions): ToolExecutor {
  const find = (name: string) => executor.tools().find((tool) => tool.name === name)
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = find(name)
      if (tool === undefined) return yield* executor.execute(name, args, context)
      const { actor, advice } = context
      const given = { tool, arguments: args, actor, ...omitUndefined({ advice }) }
      const judgement = await judge(given, options, context)
      const { call, decision } = await deputize(given, judgement, options, context)
      if (call !== given) yield { type: 'notice', text: `${decision.rule} changed the arguments of ${name}` }
      const judged = withDecision(context, decision)
      const { refusal, approved, changed, note } = yield* requestApproval(call, decision, options, judged)
      if (refusal !== undefined) return refusal
      if (changed === undefined) return yield* executor.execute(name, call.arguments, { ...judged, approved })
      const again = await options.policy.judge({ ...call, arguments: changed })
      if (again.behavior === 'deny') {
        await context.decided?.({ granted: false, decision: again })
        return denied(again.reason, again)
      }
      yield { type: 'notice', text: `the user changed the arguments of ${name}` }
      const result = yield* executor.execute(name, changed, { ...withDecision(context, again), approved })
      return note === undefined ? result : withText(result, note)
    },
  }
}

/** Adds to the context of a call what was decided about it. */
function withDecision(
  context: ToolContext,
  { confined = false, changesNothing = false, judgedPaths }: Decision,
): ToolContext {
  return { ...context, confined, changesNothing, ...omitUndefined({ judgedPaths }) }
}

/** Judges a call. Where it needs a permission, programs may give it as far as an allow rule could, and may refuse it. */
async function judge(
  call: JudgedCall & { readonly tool: Tool },
  { policy, beforeAsking }: GuardOptions,
  context: ToolContext,
): Promise<Decision> {
  const decision = await policy.judge(call)
  if (decision.behavior !== 'ask' || beforeAsking === undefined) return decision
  const said = await beforeAsking(call, context)
  if (said === undefined) return decision
  const { behavior, by, reason } = said
  if (behavior === 'deny') return { behavior, source: 'hook', rule: by, reason }
  // A hook that wants the question outweighs one that gives the permission.
  return call.advice?.behavior === 'ask'
    ? decision
    : policy.judge({ ...call, advice: { behavior, by, reason } })
}

/** Has the deputy answer for the user. A call that it changes is judged anew: no rule that denies gives way to it. */
async function deputize(
  call: CallToApprove['call'],
  decision: Decision,
  { policy, deputy }: GuardOptions,
  context: ToolContext,
): Promise<Pick<CallToApprove, 'call' | 'decision'>> {
  if (decision.behavior !== 'ask' || deputy === undefined || call.tool.consent !== undefined)
    return { call, decision }
  const { behavior, by, reason, arguments: args } = await deputy(call, context)
  const answer = { behavior, source: 'hook', rule: by, reason } as const
  if (behavior === 'deny' || args === undefined) return { call, decision: { ...decision, ...answer } }
  const changed = { ...call, arguments: args }
  const judged = await policy.judge(changed)
  if (judged.behavior === 'deny') return { call, decision: judged }
  return { call: changed, decision: { ...judged, ...answer } }
}

/** Whether a call may run. */
interface GuardResult {
  /** The result of a call that may not. */
  readonly refusal?: ToolResult | undefined
  /** A user said yes to it. */
  readonly approved: boolean
  /** The arguments that the user said yes to instead. */
  readonly changed?: JsonValue | undefined
  /** Tells the model what the user changed. */
  readonly note?: string | undefined
}

async function* requestApproval(
  call: JudgedCall & { readonly tool: Tool },
  decision: Decision,
  options: GuardOptions,
  context: ToolContext,
): AsyncGenerator<
  { type: 'interaction'; interaction: Interaction; judgedPaths?: readonly string[] } | RulesSaved | Notice,
  GuardResult,
  InteractionResponse | undefined
> {
  const { onAsk } = options
  const { decided } = context
  const { tool } = call
  const mayAsk = decision.behavior === 'ask' && onAsk === 'ask'
  if (!mayAsk) await decided?.({ granted: decision.behavior === 'allow', decision })
  if (decision.behavior === 'allow') return { approved: false }
  if (decision.behavior === 'deny') return refused(denied(decision.reason, decision))
  if (onAsk === 'stop') {
    throw new PipeError(
      'permission',
      `${tool.name} needs a permission and nobody can be asked: ${decision.reason}`,
      {
        details: { tool: tool.name, call_id: context.callId, reason: decision.reason },
      },
    )
  }
  if (onAsk === 'deny') return refused(denied(`${decision.reason}, and ${nobodyToAsk}`, decision))
  const first = await prepareQuestion(call, decision, options, context)
  if ('content' in first) return refused(first)
  const { judgedPaths } = context
  for (let asked = first; ; ) {
    const { interaction } = asked
    const response = yield { type: 'interaction', interaction, ...omitUndefined({ judgedPaths }) }
    if (response?.revisedText !== undefined && response.cancelled !== true) {
      const next = await reviseQuestion(asked, response.revisedText, options, context)
      if (!('denial' in next)) asked = next
      else {
        await decided?.({ granted: false, decision: next.denial })
        return refused(denied(next.denial.reason, next.denial))
      }
      continue
    }
    const refusal = yield* applyAnswer(response, asked, options)
    await decided?.({ granted: refusal === undefined, decision, ...omitUndefined({ response }) })
    const changed = response?.arguments ?? (asked.note === undefined ? undefined : asked.call.arguments)
    return { refusal, approved: refusal === undefined, changed, note: asked.note }
  }
}

function refused(refusal: ToolResult): GuardResult {
  return { refusal, approved: false }
}

async function* applyAnswer(
  response: InteractionResponse | undefined,
  { call: { tool }, decision, rules, shown, interaction }: CallToApprove,
  { policy, saveRules }: GuardOptions,
): AsyncGenerator<RulesSaved | Notice, ToolResult | undefined, unknown> {
  if (response === undefined || response.cancelled === true)
    return denied('the question was not answered', decision)
  const isOffered = interaction.options?.some(({ id }) => id === response.selectedOptionId)
  switch (isOffered ? response.selectedOptionId : undefined) {
    case allowOnce:
      return undefined
    case grants.session:
      policy.allowRules(rules)
      return undefined
    case grants.always:
      if (saveRules !== undefined) {
        const failure = await failureOf(saveRules.save(rules))
        if (failure !== undefined) {
          // The user meant this call too.
          yield { type: 'notice', text: `allowed this once: the rule was not saved: ${failure.message}` }
          return undefined
        }
        yield { type: 'rules_saved', rules: shown, file: saveRules.file }
      }
      policy.allowRules(rules)
      return undefined
    case grants.all:
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
    ...omitUndefined({ rule: decision.rule }),
  })
}
