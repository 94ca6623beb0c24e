import { type ErrorCode, PipeError } from '../error.ts'
import { type JsonValue, parseJson } from '../json-value.ts'
import type { StopReason, Usage } from '../usage.ts'

/** The replies of a scripted model, one per round. */
export interface ScriptedReplies {
  /** Name of the model that answers. Default: the requested model. */
  readonly model?: string | undefined
  readonly rounds: readonly ScriptRound[]
}

export interface ScriptRound {
  readonly blocks: readonly ScriptBlock[]
  /** Default: `tool_use` with calls, else `end_turn`. */
  readonly stopReason?: StopReason | undefined
  readonly usage?: Usage | undefined
  /** Milliseconds before each delta. */
  readonly paceMs?: number | undefined
  /** Failures of the first attempts, in order, before the round succeeds. */
  readonly failures: readonly ScriptFailure[]
}

export type ScriptBlock =
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly id?: string | undefined
      readonly name: string
      readonly arguments: JsonValue
    }

export interface ScriptFailure {
  readonly code: ErrorCode
  readonly message: string
  /** Number of deltas before it. */
  readonly after: number
}

/**
 * Reads a script, described in docs/replay.md. `path` is for the error. Throws `input` with the position of a fault and the
 * expected value.
 */
export async function readScript(text: string, path: string): Promise<ScriptedReplies> {
  const value = parseJson(text)
  if (value === undefined) throw new PipeError('input', `${path} is not a script: it is not JSON`)
  const { scriptSchema } = await import('./script-schema.ts')
  const parsed = scriptSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const expected = parsed.error.issues.map(({ path, message }) => `${pathText(path)}: ${message}`)
  throw new PipeError('input', `${path} is not a script:\n  ${expected.join('\n  ')}`)
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the script'
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}
