import { failureOf, isPipeError, PipeError } from '../error.ts'
import type { Notice, RulesSaved } from '../event.ts'
import type { NewId } from '../id.ts'
import type { CallInQuestion, Interaction, InteractionResponse } from '../interaction.ts'
import type { JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import {
  allowOnce,
  type Decision,
  type Explanation,
  grants,
  type JudgedCall,
  nobodyToAsk,
  type PermissionPolicy,
} from '../permission.ts'
import { errorResult, type Tool, type ToolContext, type ToolExecutor, type ToolResult } from '../tool.ts'
import { approvalQuestion, consentQuestion } from './approval.ts'

export interface GuardOptions {
  readonly policy: PermissionPolicy
  readonly newId: NewId
  /**
   * Handles a call that needs the user's approval: `ask` yields a question, `deny` refuses the call and tells the model, `stop`
   * throws `permission`, which ends the turn.
   */
  readonly onAsk: 'ask' | 'deny' | 'stop'
  /** Saves rules for later runs when the user chooses "always". Default: "always" is not offered. */
  readonly saveRules?: SaveRules
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

export interface SaveRules {
  /** The file that the rules are saved in, as people write it: `~/.config/pipe/config.json`. */
  readonly file: string
  save(rules: readonly string[]): Promise<void>
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
      const { refusal, approved, changed } = yield* requestApproval(call, decision, options, judged)
      if (refusal !== undefined) return refusal
      if (changed === undefined) return yield* executor.execute(name, call.arguments, { ...judged, approved })
      const again = await options.policy.judge({ ...call, arguments: changed })
      if (again.behavior === 'deny') {
        await context.decided?.({ granted: false, decision: again })
        return denied(again.reason, again)
      }
      yield { type: 'notice', text: `the user changed the arguments of ${name}` }
      return yield* executor.execute(name, changed, { ...withDecision(context, again), approved })
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
  call: Asked['call'],
  decision: Decision,
  { policy, deputy }: GuardOptions,
  context: ToolContext,
): Promise<Pick<Asked, 'call' | 'decision'>> {
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
  const asked = await prepare(call, decision, options, context)
  if ('content' in asked) return refused(asked)
  const { judgedPaths } = context
  const { interaction } = asked
  const response = yield { type: 'interaction', interaction, ...omitUndefined({ judgedPaths }) }
  const refusal = yield* applyAnswer(response, asked, options)
  await decided?.({ granted: refusal === undefined, decision, ...omitUndefined({ response }) })
  return { refusal, approved: refusal === undefined, changed: response?.arguments }
}

function refused(refusal: ToolResult): GuardResult {
  return { refusal, approved: false }
}

/** A question that is about to be asked. */
interface Asked {
  readonly call: JudgedCall & { readonly tool: Tool }
  readonly decision: Decision
  /** The rules that "this session" and "always" add, and their form in the question. */
  readonly rules: readonly string[]
  readonly shown: readonly string[]
  readonly interaction: Interaction
}

/** Words the question about a call. Returns the result of a call that need not be asked about, as its tool refuses it. */
async function prepare(
  call: Asked['call'],
  decision: Decision,
  { policy, newId, saveRules }: GuardOptions,
  context: ToolContext,
): Promise<Asked | ToolResult> {
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
      if (isPipeError(error) && error.code === 'invalid') return errorResult(error.message)
      throw error
    }
  }
  const rules = await policy.suggestRules(call)
  const whyNoRule = rules.length === 0 ? await policy.whyNoRule?.(call) : undefined
  const diff = await tool.preview?.(args, context)
  const explanation = (await policy.explain?.(call, rules)) ?? unexplained(call, rules)
  const more = omitUndefined({ diff, whyNoRule, rulesFile: saveRules?.file })
  const approval = { explanation, reason: decision.reason, arguments: args, ...more }
  const interaction = { ...approvalQuestion(approval, id), call: askedCall(call) }
  return { call, decision, rules, shown: explanation.rules, interaction }
}

function askedCall({ tool, arguments: args }: Asked['call']): CallInQuestion {
  return { name: tool.name, arguments: args }
}

function unexplained({ tool }: Asked['call'], rules: readonly string[]): Explanation {
  const covered = rules.join(', ')
  return { title: `Use ${tool.name}?`, dangers: [], covered, all: `every use of ${tool.name}`, rules }
}

async function* applyAnswer(
  response: InteractionResponse | undefined,
  { call: { tool }, decision, rules, shown, interaction }: Asked,
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
