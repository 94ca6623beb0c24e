import { isDeepStrictEqual } from 'node:util'
import { hasCode } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { withServerFrameOf } from '../memory/frames.ts'
import { textContent } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Advice } from '../permission.ts'
import {
  errorResult,
  type ToolExecutor,
  type ToolOutput,
  type ToolResult,
  type ToolRun,
  textResult,
  withText,
} from '../tool.ts'
import { type Hook, nameOf } from './hook.ts'
import { type Answered, type HookRunner, noticesOf } from './hook-runner.ts'
import { type AskedCall, callFields, type HookedOptions } from './hooked-call.ts'
import { ownInput, peerResponse } from './peer-call.ts'
import { Printed } from './printed.ts'

/**
 * Asks hooks about each call before the guard, which `executor` begins with: it judges the arguments that they change. What they refuse
 * does not reach it.
 */
export function beforeCalls(executor: ToolExecutor, options: HookedOptions): ToolExecutor {
  const { hooks } = options
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = executor.tools().find((one) => one.name === name)
      if (tool === undefined) return yield* executor.execute(name, args, context)
      const asked = hooks.has('PreToolUse')
        ? await askBefore({ tool, args, context, tools: executor.tools() }, options)
        : { args, notices: [] }
      for (const text of asked.notices) yield { type: 'notice', text }
      if (asked.refusal !== undefined) {
        const decision = {
          behavior: 'deny',
          source: 'hook',
          rule: asked.refusal.by,
          reason: asked.refusal.reason,
        } as const
        await context.decided?.({ granted: false, decision })
        return errorResult(
          `A hook refuses this call: ${asked.refusal.reason}\nThe call was not carried out.`,
          { permission: 'denied', reason: asked.refusal.reason, source: 'hook', rule: asked.refusal.by },
        )
      }
      const advised = { ...context, ...omitUndefined({ advice: asked.advice }) }
      const result = yield* withNotifications(executor.execute(name, asked.args, advised), hooks)
      const call = { tool, args: asked.args, context, tools: executor.tools() }
      return withNote(yield* tellRefusal(result, call, options), asked.context)
    },
  }
}

/** Tells hooks the result of each call that ran. `executor` stands behind the guard. */
export function afterCalls(executor: ToolExecutor, options: HookedOptions): ToolExecutor {
  const { hooks, stop, changes } = options
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const run = executor.execute(name, args, context)
      const isCommand = executor.tools().find((one) => one.name === name)?.display === 'command'
      const printed = isCommand && hooks.has('PostToolUse') ? new Printed() : undefined
      const result = yield* printed?.of(run) ?? run
      await unlessAborted(changes.look(context.signal).then(() => []))
      const event = result.isError ? 'PostToolUseFailure' : 'PostToolUse'
      const tool = executor.tools().find((one) => one.name === name)
      if (tool === undefined || !hooks.has(event)) return result
      const call = callFields({ tool, args, context, tools: executor.tools() }, options)
      const outcome = result.isError
        ? { error: textContent(result) }
        : {
            tool_response: peerResponse(result, {
              printed: printed?.text,
              input: call.input.tool_input,
              isOfServer: isServerTool(name),
            }),
          }
      const input = { ...call.input, ...outcome }
      const answers = await unlessAborted(hooks.run({ ...call, event, input }, context.signal))
      for (const text of noticesOf(answers)) yield { type: 'notice', text }
      const reason = answers.find(({ answer }) => answer.stop !== undefined)?.answer.stop
      if (reason !== undefined) stop(reason)
      const replaced = replacementOf(name, answers, result)
      if (replaced !== undefined) yield { type: 'notice', text: replaced.notice }
      return answers.reduce(
        (all, { answer }) => withNote(withNote(all, answer.block), answer.context),
        replaced?.result ?? result,
      )
    },
  }
}

function isServerTool(name: string): boolean {
  return name.startsWith('mcp__')
}

/**
 * Returns the result that hooks put in the place of a call's own, the last one of several. It has no details, which may hold what the hook
 * took out.
 */
function replacementOf(name: string, answers: readonly Answered[], before: ToolResult) {
  const isOfServer = isServerTool(name)
  const last = answers
    .flatMap(({ hook, answer: { output } }) => (output === undefined ? [] : [{ hook, ...output }]))
    .findLast((output) => isOfServer || !output.isOfServer)
  return (
    last && {
      result: textResult(isOfServer ? withServerFrameOf(textContent(before), last.text) : last.text),
      notice: `the hook ${nameOf(last.hook)} replaced the result of ${name}`,
    }
  )
}

/** Tells hooks that a call was refused, by a rule or by the user. */
async function* tellRefusal(
  result: ToolResult,
  call: AskedCall,
  options: HookedOptions,
): AsyncGenerator<ToolOutput, ToolResult, undefined> {
  const { hooks } = options
  const { details } = result
  const isRefused = isJsonObject(details) && details['permission'] === 'denied'
  if (!isRefused || !hooks.has('PermissionDenied')) return result
  const { input, ...about } = callFields(call, options)
  const event = 'PermissionDenied'
  const happening = { ...about, event, input: { ...input, reason: details['reason'] ?? '' } } as const
  const answers = await unlessAborted(hooks.run(happening, call.context.signal))
  for (const text of noticesOf(answers)) yield { type: 'notice', text }
  const mayRetry = answers.some(({ answer }) => answer.retry === true)
  return mayRetry ? withNote(result, 'It may be tried again.') : result
}

/** An interrupt ends the hooks of a call, but not its result: it has run. */
async function unlessAborted(asked: Promise<readonly Answered[]>): Promise<readonly Answered[]> {
  try {
    return await asked
  } catch (error) {
    if (hasCode(error, 'aborted')) return []
    throw error
  }
}

/** Holds the verdict of the hooks on a call. */
interface Asked {
  readonly args: JsonValue
  readonly notices: readonly string[]
  readonly refusal?: { readonly by: string; readonly reason: string } | undefined
  readonly advice?: Advice | undefined
  readonly context?: string | undefined
}

/**
 * Asks the hooks about a call. If one changes its arguments, the others are asked about the new ones, and can change them no more. What they
 * objected to before still counts: a hook that runs once is not asked again.
 */
async function askBefore(call: AskedCall, options: HookedOptions): Promise<Asked> {
  const { hooks, stop } = options
  const { tool, context } = call
  const ask = (args: JsonValue, except: readonly Hook[]) =>
    hooks.run({ ...callFields({ ...call, args }, options), event: 'PreToolUse', except }, context.signal)
  const first = await ask(call.args, [])
  const { tool_input: told } = callFields(call, options).input
  const changing = first.findLast(
    ({ answer: { input } }) => input !== undefined && !isDeepStrictEqual(input, told),
  )
  const args = changing?.answer.input === undefined ? call.args : ownInput(tool, changing.answer.input)
  const kept = changing === undefined ? [] : await ask(args, [changing.hook])
  const current = changing === undefined ? first : [changing, ...kept]
  const answers = changing === undefined ? first : [...current, ...first.filter(isObjection)]
  const changed =
    changing === undefined ? [] : [`the hook ${nameOf(changing.hook)} changed the arguments of ${tool.name}`]
  const reason = answers.find(({ answer }) => answer.stop !== undefined)?.answer.stop
  if (reason !== undefined) stop(reason)
  const refusing = answers.find(({ answer }) => answer.block !== undefined || answer.stop !== undefined)
  const advising =
    answers.find(({ answer }) => answer.permission?.behavior === 'ask') ??
    answers.find(({ answer }) => answer.permission !== undefined)
  return {
    args,
    notices: [...noticesOf([...first, ...kept]), ...changed],
    refusal: refusing && {
      by: nameOf(refusing.hook),
      reason: refusing.answer.block ?? refusing.answer.stop ?? '',
    },
    advice: advising?.answer.permission && { ...advising.answer.permission, by: nameOf(advising.hook) },
    context: current.flatMap(({ answer }) => answer.context ?? []).join('\n') || undefined,
  }
}

function isObjection({ answer: { block, stop, permission } }: Answered): boolean {
  return block !== undefined || stop !== undefined || permission?.behavior === 'ask'
}

/** Passes a run on, and lets hooks know of its questions. */
async function* withNotifications(run: ToolRun, hooks: HookRunner): ToolRun {
  if (!hooks.has('Notification')) return yield* run
  try {
    let step = await run.next()
    while (step.done !== true) {
      notifyOf(step.value, hooks)
      step = await run.next(yield step.value)
    }
    return step.value
  } finally {
    await run.return(errorResult('interrupted'))
  }
}

function notifyOf(output: ToolOutput, hooks: HookRunner): void {
  if (output.type !== 'interaction') return
  const { purpose, display } = output.interaction
  const { title } = display
  const kind = purpose === 'confirm_risky_action' ? 'permission_prompt' : 'elicitation_dialog'
  hooks.notify({
    event: 'Notification',
    names: [kind],
    input: { message: title, notification_type: kind },
  })
}

/** Adds the words of a hook to a result, as words of a program and not of the tool. */
function withNote(result: ToolResult, text: string | undefined): ToolResult {
  if (text === undefined) return result
  return withText(result, `\n\n[A hook of this run says about the call:\n${text}\n]`)
}
