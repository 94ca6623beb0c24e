import { type ErrorCode, PipeError } from '../error.ts'
import { type JsonValue, parseJson } from '../json-value.ts'
import type { StopReason, Usage } from '../usage.ts'

/** What a scripted model says: one reply a round. */
export interface Script {
  /** Shown as the model that answered. Default: the model that was asked. */
  readonly model?: string | undefined
  readonly rounds: readonly ScriptRound[]
}

export interface ScriptRound {
  readonly blocks: readonly ScriptBlock[]
  /** Default `tool_use` where there are calls, else `end_turn`. */
  readonly stopReason?: StopReason | undefined
  readonly usage?: Usage | undefined
  /** Milliseconds before each delta. */
  readonly paceMs?: number | undefined
  /** Each is served to one attempt, in order, before the round succeeds. */
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
  /** How many deltas come before it. */
  readonly after: number
}

/**
 * Reads a script, described in docs/replay.md. `path` is for the message. Throws `input` with the place and what was expected
 * there.
 */
export async function readScript(text: string, path: string): Promise<Script> {
  const value = parseJson(text)
  if (value === undefined) throw new PipeError('input', `${path} is no script: it is not JSON`)
  const { scriptSchema } = await import('./schema.ts')
  const parsed = scriptSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const expected = parsed.error.issues.map(({ path, message }) => `${place(path)}: ${message}`)
  throw new PipeError('input', `${path} is no script:\n  ${expected.join('\n  ')}`)
}

function place(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the whole'
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}
