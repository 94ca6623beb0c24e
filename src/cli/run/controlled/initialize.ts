import { readCallbacks } from '../../../hooks/read-callbacks.ts'
import type { CallBack } from '../../../hooks/run-hook.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import type { DrivingProgram } from '../../../line/controlled/driving-program.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Flags } from '../../flags.ts'
import type { Choices } from '../../wiring/run-choices.ts'

/** Holds a program's choices for a conversation before it begins, besides the flags. */
export interface Begun {
  readonly choices: Partial<Pick<Choices, 'systemPrompt' | 'moreSystemPrompt' | 'callbacks'>>
  /** Say which hooks of the program never run. */
  readonly warnings: readonly string[]
  /** With the schema of the answers, if the program names one. */
  readonly flags: Flags
}

/** Reads the first request of a program. What it says goes before flags; an empty system prompt says nothing. */
export function readInitialize(
  request: JsonObject = {},
  { flags, program }: { readonly flags: Flags; readonly program: DrivingProgram },
): Begun {
  const { jsonSchema, systemPrompt, appendSystemPrompt } = request
  const { hooks, problems } = readCallbacks(request['hooks'])
  const isSchema = isJsonObject(jsonSchema) && !flags.has('json-schema')
  return {
    flags: isSchema ? flags.with('json-schema', JSON.stringify(jsonSchema)) : flags,
    warnings: problems,
    choices: omitUndefined({
      systemPrompt: textOf(systemPrompt),
      moreSystemPrompt: textOf(appendSystemPrompt),
      callbacks: hooks.length === 0 ? undefined : { hooks, call: callOf(program) },
    }),
  }
}

function callOf(program: DrivingProgram): CallBack {
  return (id, input, { signal }) => {
    const about = omitUndefined({ tool_use_id: input['tool_use_id'] })
    return program.ask({ subtype: 'hook_callback', callback_id: id, input, ...about }, signal)
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  const texts = Array.isArray(value) ? value : [value]
  return texts.filter((text) => typeof text === 'string' && text.trim() !== '').join('\n\n') || undefined
}
