import { oneLine } from '../../characters/one-line.ts'
import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { CleanText } from './listed-tool.ts'

/** A prompt as its server lists it. */
export interface ListedPrompt {
  readonly name: string
  /** One line. */
  readonly description: string
  readonly args: readonly PromptArgument[]
}

export interface PromptArgument {
  readonly name: string
  readonly isRequired: boolean
}

const longest = { name: 200, description: 200, args: 20 }

/** Reads a prompt; none for one that cannot be called. */
export function readListedPrompt(value: JsonValue, clean: CleanText): readonly ListedPrompt[] {
  const name = textField(value, 'name')
  if (!isJsonObject(value) || name === undefined || name === '' || name.length > longest.name) return []
  const text = textField(value, 'description') ?? textField(value, 'title') ?? ''
  const { arguments: args } = value
  return [
    {
      name,
      description: oneLine(clean(text.slice(0, 1_000)), longest.description),
      args: (Array.isArray(args) ? args : []).flatMap(readArgument).slice(0, longest.args),
    },
  ]
}

function readArgument(value: JsonValue): readonly PromptArgument[] {
  const name = textField(value, 'name')
  if (!isJsonObject(value) || name === undefined || name === '') return []
  return [{ name: name.slice(0, longest.name), isRequired: value['required'] === true }]
}
