import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../../conversation.ts'
import { failureOf, isPipeError } from '../../error.ts'
import { type CallInQuestion, dangerTexts, type Interaction } from '../../interaction.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { allowOnce, grants } from '../../permission.ts'
import { type Output, printWarning } from '../../terminal/output.ts'
import type { DrivingProgram } from './driving-program.ts'
import { type Controls, carryOutRequest } from './requests.ts'

/** The words of a program for our tools and their arguments. */
export interface ToolWords {
  /** The name of the tool that asks the user. */
  readonly question: string
  name(tool: string): string
  /** The name and the arguments of a call. */
  call(tool: string, args: JsonValue): { readonly name: string; readonly input: JsonValue }
  /** The same arguments in our words. */
  ownInput(tool: string, input: JsonObject): JsonValue
}

export interface PermissionAsking {
  readonly program: DrivingProgram
  readonly words: ToolWords
  readonly controls: Controls
  readonly stderr: Output
  readonly signal: AbortSignal
}

/** The answer of a program, which may also want the turn to end. */
export type PermissionAnswer = Answer & { readonly interrupts?: true }

/** Asks the program whether a call may run. Whatever is not a yes in its form is a no. */
export async function askPermission(
  question: Interaction,
  { callId, name, arguments: args, rules = [] }: CallInQuestion & { readonly callId: string },
  asking: PermissionAsking,
): Promise<PermissionAnswer> {
  const { program, words, signal } = asking
  const { name: toolName, input } = words.call(name, args)
  const suggestions = suggestionsOf(question, rules)
  const { title, description } = question.display
  const reasons = [description, ...dangerTexts(question.display)].filter((text) => text !== undefined)
  const request = {
    subtype: 'can_use_tool',
    tool_name: toolName,
    input,
    tool_use_id: callId,
    title,
    permission_suggestions: suggestions,
    ...omitUndefined({ decision_reason: reasons.length === 0 ? undefined : reasons.join('; ') }),
  }
  try {
    const answer = await program.ask(request, signal)
    if (answer['behavior'] !== 'allow') return refusal(question, answer)
    const { updatedInput } = answer
    const isChanged = isJsonObject(updatedInput) && !isDeepStrictEqual(updatedInput, input)
    const updates = updatesIn(answer['updatedPermissions'])
    await setModeOf(updates, asking)
    return {
      selectedOptionId: chosenYes(question, updates, suggestions),
      ...(isChanged && { arguments: words.ownInput(name, updatedInput) }),
    }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return signal.aborted ? { cancelled: true } : refusal(question, { message: error.message })
  }
}

function refusal(question: Interaction, { message, behavior, interrupt }: JsonObject): PermissionAnswer {
  const no = question.options?.find(({ style }) => style === 'danger')
  if (no === undefined) return { cancelled: true }
  const said = typeof message === 'string' ? message : undefined
  const comment = said ?? (behavior === 'deny' ? undefined : 'the answer was neither allow nor deny')
  return {
    selectedOptionId: no.id,
    ...omitUndefined({ comment }),
    ...(interrupt === true && { interrupts: true }),
  }
}

/** A change of the permissions, as programs write it. */
interface PermissionUpdate extends JsonObject {
  readonly type: 'addRules'
  readonly rules: readonly JsonObject[]
  readonly behavior: 'allow'
  readonly destination: 'userSettings' | 'session'
}

/** Sets the mode that comes with a yes. One that is refused does not take the yes back. */
async function setModeOf(
  updates: readonly JsonObject[],
  { controls, stderr }: Pick<PermissionAsking, 'controls' | 'stderr'>,
): Promise<void> {
  const chosen = updates.findLast(({ type }) => type === 'setMode')
  if (chosen === undefined) return
  const request = { ...omitUndefined({ mode: chosen['mode'] }), subtype: 'set_permission_mode' }
  const failure = await failureOf(carryOutRequest(request, controls))
  if (failure !== undefined) printWarning({ stderr }, `the mode was not set: ${failure.message}`)
}

function updatesIn(updates: JsonValue | undefined): readonly JsonObject[] {
  return (Array.isArray(updates) ? updates : []).filter((one: JsonValue) => isJsonObject(one))
}

/** Suggests the rules of the longest answer that is offered. */
function suggestionsOf({ options = [] }: Interaction, rules: readonly string[]): readonly PermissionUpdate[] {
  const isOffered = (grant: string) => options.some(({ id }) => id === grant)
  if (rules.length === 0 || !isOffered(grants.session)) return []
  const destination = isOffered(grants.always) ? 'userSettings' : 'session'
  return [{ type: 'addRules', rules: rules.map(ruleParts), behavior: 'allow', destination }]
}

function ruleParts(rule: string): JsonObject {
  const [, toolName = rule, ruleContent] = /^([^(]+)\(([\s\S]*)\)$/.exec(rule) ?? []
  return { toolName, ...omitUndefined({ ruleContent }) }
}

/**
 * A program that adds rules means later calls too, as far as a question offers that. Saves only a suggestion that comes back unchanged,
 * because pipe always saves its own rules.
 */
function chosenYes(
  { options = [] }: Interaction,
  updates: readonly JsonObject[],
  suggestions: readonly PermissionUpdate[],
): string {
  const added = updates.filter(({ behavior }) => behavior === 'allow')
  const isForAlways = suggestions.some(
    (suggested) =>
      suggested.destination === 'userSettings' && added.some((one) => isDeepStrictEqual(one, suggested)),
  )
  if (isForAlways) return grants.always
  return added.length > 0 && options.some(({ id }) => id === grants.session) ? grants.session : allowOnce
}
