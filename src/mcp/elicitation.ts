import type { ElicitResult } from '@modelcontextprotocol/client'
import { oneLine } from '../characters/one-line.ts'
import type { NewId } from '../id.ts'
import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'

/** A question of a server, with the way from an answer back to it. */
export interface Elicitation {
  readonly interaction: Interaction
  read(response: InteractionResponse | undefined): ElicitResult
}

/** Most fields of a form. */
const most = 20

/** Words what a server asks for: the fields of a form, or a yes to a page that the user opens. `undefined` if it cannot be asked. */
export function readElicitation(
  server: string,
  params: unknown,
  newId: Pick<NewId, 'interaction'>,
): Elicitation | undefined {
  if (!isJsonObject(params)) return undefined
  const title = `The MCP server ${server} asks: ${oneLine(textField(params, 'message') ?? '', 500)}`
  const url = textField(params, 'url')
  if (params['mode'] === 'url') return url === undefined ? undefined : askForPage(title, url, newId)
  const schema = params['requestedSchema']
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  const required = isJsonObject(schema) && Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(isJsonObject(properties) ? properties : {})
  if (fields.length > most) return undefined
  const asked = fields.map(([name, field]) =>
    readField(name, isJsonObject(field) ? field : {}, {
      newId,
      isRequired: required.includes(name),
      asks: title,
    }),
  )
  if (asked.some((one) => one === undefined)) return undefined
  return askForForm(
    title,
    asked.flatMap((one) => one ?? []),
    newId,
  )
}

/** A field of a form, with the way from an answer to its value. */
interface FormField {
  readonly name: string
  readonly part: Interaction
  /** Returns the value of an answer; `undefined` for none. */
  value(response: InteractionResponse): string | number | boolean | undefined
}

interface FieldOptions {
  /** Who asks for what: front ends show the parts of a form one by one. */
  readonly asks: string
  readonly newId: Pick<NewId, 'interaction'>
  readonly isRequired: boolean
}

function readField(
  name: string,
  field: JsonObject,
  { newId, isRequired, asks }: FieldOptions,
): FormField | undefined {
  const { type } = field
  const preset = field['default']
  const title = oneLine(textField(field, 'title') ?? name, 100)
  const about = textField(field, 'description')
  const description = about === undefined ? asks : `${asks} · ${oneLine(about, 300)}`
  const display = { title, description }
  const id = newId.interaction()
  const common = { id, purpose: 'request_info', display } as const
  const options = optionsOf(field)
  if (options !== undefined) {
    const part: Interaction = { ...common, kind: 'select', options, validation: { required: isRequired } }
    return { name, part, value: ({ selectedOptionId }) => selectedOptionId }
  }
  if (type === 'boolean') {
    const answers = [
      { id: 'yes', label: 'Yes', isDefault: preset === true },
      { id: 'no', label: 'No', isDefault: preset === false },
    ]
    const part: Interaction = {
      ...common,
      kind: 'confirm',
      options: answers,
      validation: { required: isRequired },
    }
    return {
      name,
      part,
      value: ({ selectedOptionId: chosen }) => (chosen === undefined ? undefined : chosen === 'yes'),
    }
  }
  if (type !== 'string' && type !== 'number' && type !== 'integer') return undefined
  const usual = typeof preset === 'string' || typeof preset === 'number' ? preset : undefined
  const told =
    usual === undefined
      ? display
      : { title, description: `${description} · Enter alone: ${oneLine(String(usual), 100)}` }
  const part: Interaction = {
    ...common,
    display: told,
    kind: 'input',
    validation: { required: isRequired && usual === undefined },
  }
  return {
    name,
    part,
    value: ({ inputValue = '' }) => {
      if (inputValue === '') return usual
      return type === 'string' ? inputValue : Number(inputValue)
    },
  }
}

/** Lists what a text may be: `enum` with or without `enumNames`, or `oneOf`. */
function optionsOf(field: JsonObject): readonly InteractionOption[] | undefined {
  const values = field['enum']
  const names = field['enumNames']
  const preset = field['default']
  const option = (value: JsonValue, label: JsonValue | undefined): readonly InteractionOption[] =>
    typeof value === 'string'
      ? [
          {
            id: value,
            label: oneLine(typeof label === 'string' ? label : value, 100),
            isDefault: value === preset,
          },
        ]
      : []
  if (Array.isArray(values))
    return values.flatMap((value, i) => option(value, Array.isArray(names) ? names[i] : undefined))
  const forms = field['oneOf']
  if (!Array.isArray(forms)) return undefined
  return forms.flatMap((form) => (isJsonObject(form) ? option(form['const'] ?? null, form['title']) : []))
}

function askForForm(
  title: string,
  fields: readonly FormField[],
  newId: Pick<NewId, 'interaction'>,
): Elicitation {
  const decide: Interaction = {
    id: newId.interaction(),
    kind: 'confirm',
    purpose: 'request_info',
    display: { title: 'Send these answers?', description: title },
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No', isDefault: true },
    ],
  }
  return {
    interaction: {
      id: newId.interaction(),
      kind: 'composite',
      purpose: 'request_info',
      display: { title },
      parts: [...fields.map(({ part }) => part), decide],
    },
    read(response) {
      if (response === undefined || response.cancelled === true) return { action: 'cancel' }
      const answerTo = (id: string) => response.parts?.find(({ interactionId }) => interactionId === id)
      if (answerTo(decide.id)?.selectedOptionId !== 'yes') return { action: 'decline' }
      const content = fields.flatMap(({ name, part, value }) => {
        const answer = answerTo(part.id)
        const found = answer === undefined ? undefined : value(answer)
        return found === undefined ? [] : [[name, found] as const]
      })
      return { action: 'accept', content: Object.fromEntries(content) }
    },
  }
}

function askForPage(title: string, url: string, newId: Pick<NewId, 'interaction'>): Elicitation {
  return {
    interaction: {
      id: newId.interaction(),
      kind: 'confirm',
      purpose: 'confirm_risky_action',
      display: {
        title,
        description: 'It wants you to open this page. Look at its host first.',
        content: { url },
        contentKind: 'json',
      },
      options: [
        { id: 'no', label: 'No', isDefault: true },
        { id: 'yes', label: 'Yes, I have opened it' },
      ],
    },
    read(response) {
      if (response === undefined || response.cancelled === true) return { action: 'cancel' }
      return { action: response.selectedOptionId === 'yes' ? 'accept' : 'decline' }
    },
  }
}
