import type { Answer } from '../conversation.ts'
import { isPipeError } from '../error.ts'
import {
  type Interaction,
  type InteractionOption,
  type InteractionResponse,
  validateResponse,
} from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { allowOnce } from '../permission.ts'
import { questionText } from './question-text.ts'

/** A form as protocols for clients have it: a JSON Schema of an object with texts. */
export interface AskedForm {
  readonly message: string
  readonly requestedSchema: {
    readonly type: 'object'
    readonly properties: Record<string, Field>
    readonly required: string[]
  }
}

/** Makes the text of somebody else safe to show. */
type Show = (text: string) => string

type Field =
  | { readonly type: 'string'; readonly title?: string; readonly description?: string }
  | {
      readonly type: 'string'
      readonly title?: string
      readonly description?: string
      readonly enum: string[]
    }

/**
 * Words a question as a form for the client's user. A permission is asked for once: whoever answers for a client gives no lasting rule.
 */
export function formOf(question: Interaction, show: Show): AskedForm {
  const fields = partsOf(question).map(
    (part, i) => [fieldName(i), fieldOf(part, question.parts === undefined, show)] as const,
  )
  const required = partsOf(question).flatMap((part, i) =>
    optionsOf(part).length > 0 || part.validation?.required === true ? [fieldName(i)] : [],
  )
  return {
    message: show(questionText(question)),
    requestedSchema: { type: 'object', properties: Object.fromEntries(fields), required },
  }
}

/** Reads the client's answer. Anything but an accepted form that fits is a no, or no answer. `answeredBy`: an actor id. */
export function readForm(
  question: Interaction,
  given: unknown,
  { answeredBy, show }: { readonly answeredBy: string; readonly show: Show },
): Answer {
  const form = isForm(given) ? given : undefined
  if (form?.action === 'decline') return declined(question, answeredBy)
  if (form?.action !== 'accept') return { answeredBy, cancelled: true }
  const values = partsOf(question).map((part, i) => readField(part, form.content?.[fieldName(i)], show))
  if (values.some((value) => value === undefined)) return { answeredBy, cancelled: true }
  const responses = partsOf(question).map(
    ({ id }, i): InteractionResponse => ({ interactionId: id, answeredBy, ...values[i] }),
  )
  const [first = { interactionId: question.id, answeredBy, cancelled: true }] = responses
  const response =
    question.parts === undefined ? first : { interactionId: question.id, answeredBy, parts: responses }
  return fits(question, response) ? response : { answeredBy, cancelled: true }
}

function isForm(
  given: unknown,
): given is { readonly action: string; readonly content?: Readonly<Record<string, JsonValue>> } {
  return isJsonObject(given) && typeof given['action'] === 'string'
}

function fits(question: Interaction, response: InteractionResponse): boolean {
  try {
    validateResponse(question, response)
    return true
  } catch (error) {
    if (!isPipeError(error)) throw error
    return false
  }
}

function declined({ options = [], purpose }: Interaction, answeredBy: string): Answer {
  const no = options.find(({ isDefault }) => isDefault === true)
  if (purpose !== 'confirm_risky_action' || no === undefined) return { answeredBy, cancelled: true }
  return { answeredBy, selectedOptionId: no.id }
}

function partsOf(question: Interaction): readonly Interaction[] {
  return question.parts ?? [question]
}

function fieldName(i: number): string {
  return i === 0 ? 'answer' : `answer_${i + 1}`
}

/** Of a permission only the yes for this call and the no. */
function optionsOf({ options = [], purpose }: Interaction): readonly InteractionOption[] {
  if (purpose !== 'confirm_risky_action' || !options.some(({ id }) => id === allowOnce)) return options
  return options.filter(({ id, isDefault }) => id === allowOnce || isDefault === true)
}

function fieldOf(part: Interaction, isAlone: boolean, show: Show): Field {
  const { title, description } = part.display
  const words = isAlone
    ? { title: 'Answer' }
    : { title: show(title), ...(description !== undefined && { description: show(description) }) }
  const options = optionsOf(part)
  if (options.length === 0) return { type: 'string', ...words }
  return { type: 'string', ...words, enum: options.map(({ label }) => show(label)) }
}

/** Returns `undefined` for a value that is no answer. */
function readField(
  part: Interaction,
  value: JsonValue | undefined,
  show: Show,
): Pick<InteractionResponse, 'selectedOptionId' | 'inputValue'> | undefined {
  const options = optionsOf(part)
  if (options.length === 0) return typeof value === 'string' ? { inputValue: value } : { inputValue: '' }
  const chosen = options.find(({ label }) => show(label) === value)
  return chosen === undefined ? undefined : { selectedOptionId: chosen.id }
}
