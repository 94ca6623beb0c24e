import type { ElicitResult } from '@modelcontextprotocol/client'
import { oneLine } from '../characters/one-line.ts'
import { PipeError } from '../error.ts'
import type { NewId } from '../id.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import { askField, type FieldValue, type FormField } from './asked-field.ts'

/** A question of a server, with the way from an answer back to it. */
export interface Elicitation {
  readonly interaction: Interaction
  /** Returns what to tell the server, or a question about the answers that do not fit. */
  read(response: InteractionResponse | undefined): Outcome
}

type Outcome = { readonly told: ElicitResult } | { readonly again: Elicitation }

/** Most fields of a form. */
const most = 20

/**
 * Words what a server asks for: the fields of a form, or a yes to a page that the user opens. Throws `invalid` for what no question of pipe
 * can stand for.
 */
export function readElicitation(
  server: string,
  params: unknown,
  newId: Pick<NewId, 'interaction'>,
): Elicitation {
  if (!isJsonObject(params)) throw unaskable(server, 'it is no object')
  const title = `The MCP server ${server} asks: ${oneLine(textField(params, 'message') ?? '', 500)}`
  if (params['mode'] === 'url') {
    const url = textField(params, 'url')
    if (url === undefined) throw unaskable(server, 'it names no page')
    return askForPage(title, url, newId)
  }
  const schema = isJsonObject(params['requestedSchema']) ? params['requestedSchema'] : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const count = Object.keys(properties).length
  if (count > most) throw unaskable(server, `it has ${count} fields, and ${most} are the most`)
  const form = { title, server, properties, required, newId }
  return askForForm(form, fieldsOf(form))
}

interface FormContent {
  readonly title: string
  readonly server: string
  readonly properties: JsonObject
  readonly required: readonly JsonValue[]
  readonly newId: Pick<NewId, 'interaction'>
}

/** The fields of a form. `complaints`: those to ask for again, with what is wrong with their answers. Default: all. */
function fieldsOf(form: FormContent, complaints?: ReadonlyMap<string, string>): readonly FormField[] {
  const { title, server, properties, required, newId } = form
  return [...(complaints?.keys() ?? Object.keys(properties))].map((name) => {
    const field = properties[name]
    const asks = complaints?.get(name) ?? title
    const options = { newId, isRequired: required.includes(name), asks }
    const read = isJsonObject(field) ? askField(name, field, options) : undefined
    if (read === undefined)
      throw unaskable(server, `its field ${JSON.stringify(name)} is of a kind that it cannot ask for`)
    return read
  })
}

/** `given`: the values of fields that are not asked for again. */
function askForForm(
  form: FormContent,
  fields: readonly FormField[],
  given: Readonly<Record<string, FieldValue>> = {},
): Elicitation {
  const { title, newId } = form
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
      if (response === undefined || response.cancelled === true) return { told: { action: 'cancel' } }
      const answerTo = (id: string) => response.parts?.find(({ interactionId }) => interactionId === id)
      if (answerTo(decide.id)?.selectedOptionId !== 'yes') return { told: { action: 'decline' } }
      const content: Record<string, FieldValue> = { ...given }
      const complaints = new Map<string, string>()
      for (const { name, part, read } of fields) {
        const answer = answerTo(part.id)
        const found = answer === undefined ? {} : read(answer)
        if ('misfit' in found) complaints.set(name, found.misfit)
        else if (found.value !== undefined) content[name] = found.value
      }
      if (complaints.size === 0) return { told: { action: 'accept', content } }
      return { again: askForForm(form, fieldsOf(form, complaints), content) }
    },
  }
}

/** Tells the server why its request cannot be shown to the user, who has answered nothing. */
function unaskable(server: string, reason: string): PipeError {
  return new PipeError('invalid', `pipe cannot show the form of the MCP server ${server}: ${reason}`)
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
      if (response === undefined || response.cancelled === true) return { told: { action: 'cancel' } }
      return { told: { action: response.selectedOptionId === 'yes' ? 'accept' : 'decline' } }
    },
  }
}
