import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../json-value.ts'
import type { ToolContext } from '../tool.ts'
import { nameOf } from './hook.ts'
import { noticesOf } from './hook-runner.ts'
import { type AskedCall, callFields, type HookedOptions } from './hooked-call.ts'

/** Asks hooks about a call that the user is about to be asked about. `undefined` leaves it to the user. Throws `aborted`. */
export async function askBeforeUser(
  { tool, arguments: args, tools }: { readonly arguments: JsonValue } & Pick<AskedCall, 'tool' | 'tools'>,
  context: ToolContext,
  options: HookedOptions,
): Promise<{ behavior: 'allow' | 'deny'; by: string; reason: string } | undefined> {
  const { hooks, stop } = options
  if (!hooks.has('PermissionRequest')) return undefined
  const call = callFields({ tool, args, context, tools }, options)
  const answers = await hooks.run({ ...call, event: 'PermissionRequest' }, context.signal)
  hooks.tell(noticesOf(answers))
  const ending = answers.find(({ answer }) => answer.stop !== undefined)?.answer.stop
  if (ending !== undefined) stop(ending)
  const refusing = answers.find(({ answer }) => answer.block !== undefined || answer.stop !== undefined)
  if (refusing !== undefined) {
    const { block, stop: reason = '' } = refusing.answer
    return { behavior: 'deny', by: nameOf(refusing.hook), reason: block ?? reason }
  }
  if (answers.some(({ answer: { permission } }) => permission?.behavior === 'ask')) return undefined
  // A permission for other arguments is none: nothing has judged those.
  const allowing = answers.filter(
    ({ answer: { permission, input } }) =>
      permission !== undefined && (input === undefined || isDeepStrictEqual(input, call.input.tool_input)),
  )
  for (const { hook, answer } of allowing) {
    const note = answer.mode && options.setMode(answer.mode, nameOf(hook))
    if (note !== undefined) hooks.tell([note])
  }
  const [first] = allowing
  const permission = first?.answer.permission
  return permission && { behavior: 'allow', by: nameOf(first.hook), reason: permission.reason }
}
