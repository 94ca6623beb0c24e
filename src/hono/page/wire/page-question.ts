import type { Danger, InteractionOption, WithheldOption } from '../../../interaction.ts'
import type { JsonObject, JsonValue } from '../../../json-value.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { list, object, objects, text } from '../../../wire/json-fields.ts'

/** A question as the page shows it. */
export interface Question {
  readonly id: string
  readonly kind: string
  /** Whether it asks for a permission, which must not be given by accident. */
  readonly isPermission: boolean
  readonly title: string
  readonly description: string
  readonly content: JsonValue | undefined
  readonly contentKind: string
  readonly dangers: readonly Danger[]
  /** The call that asks; empty if it is not known. */
  readonly callId: string
  readonly options: readonly InteractionOption[]
  readonly withheld: readonly WithheldOption[]
  readonly isRequired: boolean
  /** The questions of a composite, asked one after the other. */
  readonly parts: readonly Question[]
}

/** The answer to a question, as the server reads it. */
export type Response = JsonObject & { readonly interaction_id: string }

export function readPageQuestion(interaction: JsonObject, callId = ''): Question {
  const display = object(interaction['display']) ?? {}
  return {
    id: text(interaction['id']),
    kind: text(interaction['kind']),
    isPermission: interaction['purpose'] === 'confirm_risky_action',
    title: text(display['title']),
    description: text(display['description']),
    content: display['content'],
    contentKind: text(display['content_kind']),
    dangers: objects(display['dangers']).map(readDanger),
    callId,
    options: list(interaction['options']).flatMap(readOption),
    withheld: objects(interaction['withheld']).map(({ id, label, reason }) => ({
      id: text(id),
      label: text(label),
      reason: text(reason),
    })),
    isRequired: object(interaction['validation'])?.['required'] === true,
    parts: objects(interaction['parts']).map((part) => readPageQuestion(part)),
  }
}

function readDanger({ text: words, start, end }: JsonObject): Danger {
  const hasPlace = typeof start === 'number' && typeof end === 'number'
  return { text: text(words), ...(hasPlace ? { start, end } : {}) }
}

function readOption(value: JsonValue): readonly InteractionOption[] {
  const option = object(value)
  if (option === undefined) return []
  const style = styles.find((one) => one === option['style'])
  const isDefault = option['is_default'] === true ? true : undefined
  const [detail, confirm] = [option['detail'], option['confirm']].map((one) =>
    typeof one === 'string' ? one : undefined,
  )
  const more = omitUndefined({ style, isDefault, detail, confirm })
  return [{ id: text(option['id']), label: text(option['label']), ...more }]
}

const styles = ['primary', 'danger', 'default'] as const

/** Lists the dangerous parts of a command. */
export function markedRanges(
  dangers: readonly Danger[],
): readonly { readonly start: number; readonly end: number }[] {
  return dangers.flatMap(({ start, end }) =>
    start === undefined || end === undefined || end <= start ? [] : [{ start, end }],
  )
}
