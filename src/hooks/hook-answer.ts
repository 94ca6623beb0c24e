import { isJsonObject, type JsonObject, type JsonValue, parseJson, textField } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { readVerdict } from './ask-about.ts'
import { type Hook, nameOf } from './hook.ts'
import { type ReplacedOutput, readReplacedOutput } from './replaced-output.ts'
import type { HookRun } from './run-hook.ts'

/** Holds the answer of a hook. All texts are safe to show, and to send. */
export interface HookAnswer {
  /** Why it refuses what it was asked about. */
  readonly block?: string
  /** Its word on the permission of a call, besides a refusal. */
  readonly permission?: { readonly behavior: 'allow' | 'ask'; readonly reason: string }
  /** The mode that comes with its permission, in its own word. */
  readonly mode?: string
  /** The arguments that a call gets instead, or that a permission is for, under the names that hooks know. */
  readonly input?: JsonObject
  /** Takes the place of a call's result. */
  readonly output?: ReplacedOutput
  /** Text for the model. */
  readonly context?: string
  /** A call that was refused may be tried again. */
  readonly retry?: true
  /** The files to watch from now on. */
  readonly watch?: readonly string[]
  /** Why the turn must end. */
  readonly stop?: string
  /** The script with the variables that it sets for commands. */
  readonly exports?: string
  /** A line for the user. */
  readonly notices: readonly string[]
  /** Whether it failed, so that it says nothing. */
  readonly failed: boolean
}

/** Makes text of a program safe for people and models. */
export type Clean = (text: string) => string

/** Events at which plain output is text for the model. */
const readsPlainly: readonly Hook['event'][] = ['UserPromptSubmit', 'SessionStart']

/** Events at which a hook says which files it wants to hear of. */
const watches: readonly Hook['event'][] = ['SessionStart', 'FileChanged']

/** Events at which a call must not go on as long as the answer is unknown. */
const decides: readonly Hook['event'][] = ['PreToolUse', 'PermissionRequest']

const tooLong = 'it answered with more than 1 MiB; let it answer with its JSON alone, and log elsewhere'

/** Characters of a text that goes to the model or the user. */
const longestText = 64 * 1_024

/** Reads what a hook answers: by its exit code, and by the JSON that it prints if it exits with 0. */
export function readAnswer(hook: Hook, run: HookRun, cleanAll: Clean): HookAnswer {
  const clean: Clean = (text) =>
    text.length <= longestText
      ? cleanAll(text)
      : `${cleanAll(text.slice(0, longestText))}\n[the rest is left out]`
  const failure = failureOf(run, clean)
  if (failure !== undefined) return failed(hook, failure)
  if (hook.handler.type === 'prompt' || hook.handler.type === 'agent')
    return readReply(hook, run.stdout, clean)
  if (run.exitCode === 2) return blocked(hook, clean(run.stderr).trim())
  const text = run.stdout.trim()
  if (run.isCut === true && decides.includes(hook.event))
    return failed({ ...hook, blocksOnFailure: true }, tooLong)
  if (run.isCut === true && text.startsWith('{')) return failed(hook, tooLong)
  if (!text.startsWith('{')) {
    const context = readsPlainly.includes(hook.event) && text !== '' ? clean(text) : undefined
    return { notices: [], failed: false, ...omitUndefined({ context }) }
  }
  const value = parseJson(text)
  const answer = isJsonObject(value) ? readJson(value, hook, clean) : undefined
  return answer ?? failed(hook, 'its output is not the JSON that hooks answer with')
}

/** Reads the reply of a model. */
function readReply(hook: Hook, reply: string, clean: Clean): HookAnswer {
  const verdict = readVerdict(reply)
  if (verdict === undefined) return failed(hook, 'the model did not answer with {"ok": …, "reason": …}')
  if (verdict.ok) return { notices: [], failed: false }
  return blocked(hook, clean(verdict.reason ?? '').trim())
}

function blocked(hook: Hook, reason: string): HookAnswer {
  return { block: reason || `the hook ${nameOf(hook)} refuses it`, notices: [], failed: false }
}

/** The answer of a hook that could not be asked. */
export function failed(hook: Hook, reason: string): HookAnswer {
  const told = `the hook ${nameOf(hook)} (${hook.event}) failed: ${reason}`
  return { notices: [told], failed: true, ...(hook.blocksOnFailure && { block: told }) }
}

function failureOf({ exitCode, timedOut, fault, stderr }: HookRun, clean: Clean): string | undefined {
  if (fault !== undefined) return fault
  if (timedOut) return 'it did not finish in time'
  if (exitCode === 0 || exitCode === 2) return undefined
  const [line = ''] = clean(stderr).trim().split('\n')
  const how = exitCode === null ? 'a signal ended it' : `it exited with ${exitCode}`
  return line === '' ? how : `${how}: ${line.slice(0, 300)}`
}

/** Holds a hook's decision before the user is asked. */
interface RequestDecision {
  readonly behavior?: (typeof behaviors)[number]
  readonly message?: string
  /** Ends the turn if it is a refusal. */
  readonly interrupt?: boolean
  /** The mode to set if it is a permission. */
  readonly mode?: string
  /** The arguments that a permission is for. */
  readonly input?: JsonObject
}

/** Reads the decision on a request for a permission; nothing if there is none, `undefined` if it is not as expected. */
function readDecision(value: JsonValue | undefined): RequestDecision | undefined {
  if (value === undefined) return {}
  if (!isJsonObject(value)) return undefined
  const behavior = behaviors.find((one) => one === value['behavior'])
  const { message, interrupt, updatedInput: input } = value
  if (behavior === undefined || (message !== undefined && typeof message !== 'string')) return undefined
  if (input !== undefined && !isJsonObject(input)) return undefined
  const mode = behavior === 'allow' ? modeIn(value['updatedPermissions']) : undefined
  return { behavior, ...omitUndefined({ message, mode, input }), interrupt: interrupt === true }
}

/** Returns the mode among the changes of permissions that come with a yes. The others have no effect. */
function modeIn(updates: JsonValue | undefined): string | undefined {
  const all: readonly JsonValue[] = Array.isArray(updates) ? updates : []
  const chosen = all.filter(isJsonObject).findLast(({ type }) => type === 'setMode')
  return textField(chosen, 'mode')
}

const behaviors = ['allow', 'ask', 'deny'] as const

/** Reads a list of paths; `undefined` if it is none. */
function readPaths(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const paths = value.filter((path) => typeof path === 'string')
  return paths.length === value.length && paths.every((path) => !path.includes('\0')) ? paths : undefined
}

/** Reads a JSON answer. `undefined` if a field that has an effect is not as expected. */
function readJson(value: JsonObject, hook: Hook, clean: Clean): HookAnswer | undefined {
  const { hookSpecificOutput: own = {}, decision, continue: goesOn = true } = value
  if (!isJsonObject(own) || typeof goesOn !== 'boolean') return undefined
  if (decision !== undefined && decision !== 'block' && decision !== 'approve') return undefined
  const { hookEventName: event = hook.event, permissionDecision: permission, updatedInput: input } = own
  const behavior = behaviors.find((one) => one === permission)
  if (event !== hook.event || (permission !== undefined && behavior === undefined)) return undefined
  if (input !== undefined && !isJsonObject(input)) return undefined
  const watch = watches.includes(hook.event) ? readPaths(own['watchPaths']) : []
  if (watch === undefined) return undefined
  const requested = readDecision(own['decision'])
  if (requested === undefined) return undefined
  const texts = {
    reason: value['reason'],
    stopReason: value['stopReason'],
    systemMessage: value['systemMessage'],
    context: own['additionalContext'],
    permissionReason: own['permissionDecisionReason'],
  }
  if (Object.values(texts).some((text) => text !== undefined && typeof text !== 'string')) return undefined
  const read = (text: JsonValue | undefined) =>
    typeof text === 'string' && text.trim() !== '' ? clean(text).trim() : undefined
  const said = read(texts.permissionReason) ?? read(requested.message) ?? read(texts.reason)
  const reason = said ?? `the hook ${nameOf(hook)} says so`
  const message = read(texts.systemMessage)
  const stated = behavior ?? requested.behavior
  const isRefused = stated === 'deny' || decision === 'block'
  const mild = stated === 'deny' ? undefined : (stated ?? (decision === 'approve' ? 'allow' : undefined))
  const isEnding = !goesOn || (stated === 'deny' && requested.interrupt === true)
  return {
    notices: message === undefined ? [] : [message],
    failed: false,
    ...(own['retry'] === true && { retry: true }),
    ...(own['watchPaths'] !== undefined && { watch }),
    ...omitUndefined({
      block: isRefused ? reason : undefined,
      permission: mild && { behavior: mild, reason },
      mode: requested.mode,
      input: input ?? requested.input,
      output: readReplacedOutput(hook.event, own, clean),
      context: read(texts.context),
      stop: isEnding ? (read(texts.stopReason) ?? reason) : undefined,
    }),
  }
}
