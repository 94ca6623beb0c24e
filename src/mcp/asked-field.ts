import { oneLine } from '../characters/one-line.ts'
import type { NewId } from '../id.ts'
import type { Interaction, InteractionOption, InteractionResponse } from '../interaction.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'

/** A field of a form, with the way from an answer to its value. */
export interface FormField {
  readonly name: string
  readonly part: Interaction
  read(response: InteractionResponse): FieldAnswer
}

/** The value of a field, absent if the user left it empty, or what it must be. */
export type FieldAnswer = { readonly value?: FieldValue } | { readonly misfit: string }

export type FieldValue = string | number | boolean | string[]

export interface FieldOptions {
  /** Who asks for what, or what is wrong with the answer before: front ends show the parts of a form one by one. */
  readonly asks: string
  readonly newId: Pick<NewId, 'interaction'>
  readonly isRequired: boolean
}

/** Asks for a field of a form; `undefined` for one that no question of pipe can stand for. */
export function askField(name: string, field: JsonObject, options: FieldOptions): FormField | undefined {
  const choices = choicesOf(field)
  if (choices !== undefined)
    return choices.length === 0 ? undefined : selectField(name, field, { ...options, choices })
  switch (field['type']) {
    case 'boolean':
      return confirmField(name, field, options)
    case 'string':
      return writtenField(name, field, { ...options, ...textRule(field) })
    case 'number':
    case 'integer':
      return writtenField(name, field, { ...options, ...numberRule(field) })
    case 'array': {
      const items = isJsonObject(field['items']) ? (choicesOf(field['items']) ?? []) : []
      return items.length === 0
        ? undefined
        : writtenField(name, field, { ...options, ...listRule(field, items) })
    }
    default:
      return undefined
  }
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** Lists what a text may be: `enum` with or without `enumNames`, `oneOf` or `anyOf`; `undefined` for any text. */
function choicesOf(field: JsonObject): readonly Choice[] | undefined {
  const [values, names] = [field['enum'], field['enumNames']]
  const choice = (value: JsonValue | undefined, label: JsonValue | undefined): readonly Choice[] =>
    typeof value === 'string'
      ? [{ value, label: oneLine(typeof label === 'string' ? label : value, 100) }]
      : []
  if (Array.isArray(values))
    return values.flatMap((value, i) => choice(value, Array.isArray(names) ? names[i] : undefined))
  const forms = field['oneOf'] ?? field['anyOf']
  if (!Array.isArray(forms)) return undefined
  return forms.flatMap((form) => (isJsonObject(form) ? choice(form['const'], form['title']) : []))
}

/** The words around a field. `more`: what else its description says. */
function wordsOf(name: string, field: JsonObject, asks: string, ...more: readonly (string | undefined)[]) {
  const about = textField(field, 'description')
  const said = [asks, about === undefined ? undefined : oneLine(about, 300), ...more]
  return {
    title: oneLine(textField(field, 'title') ?? name, 100),
    description: said.filter((one) => one !== undefined).join(' · '),
  }
}

function selectField(
  name: string,
  field: JsonObject,
  { newId, isRequired, asks, choices }: FieldOptions & { readonly choices: readonly Choice[] },
): FormField {
  const options = choices.map(
    ({ value, label }): InteractionOption => ({ id: value, label, isDefault: value === field['default'] }),
  )
  return {
    name,
    part: {
      id: newId.interaction(),
      kind: 'select',
      purpose: 'request_info',
      display: wordsOf(name, field, asks),
      options,
      validation: { required: isRequired },
    },
    read: ({ selectedOptionId, inputValue = '' }) => {
      const value = selectedOptionId ?? choiceNamed(inputValue.trim(), choices)
      if (value !== undefined) return { value }
      return inputValue.trim() === '' ? {} : misfit(inputValue, `one of: ${labelsOf(choices)}`)
    },
  }
}

function confirmField(name: string, field: JsonObject, { newId, isRequired, asks }: FieldOptions): FormField {
  const preset = field['default']
  return {
    name,
    part: {
      id: newId.interaction(),
      kind: 'confirm',
      purpose: 'request_info',
      display: wordsOf(name, field, asks),
      options: [
        { id: 'yes', label: 'Yes', isDefault: preset === true },
        { id: 'no', label: 'No', isDefault: preset === false },
      ],
      validation: { required: isRequired },
    },
    read: ({ selectedOptionId: chosen }) => (chosen === undefined ? {} : { value: chosen === 'yes' }),
  }
}

/** How a written answer becomes a value. */
interface Rule {
  /** What it must be: `a whole number from 1 to 100`. Absent if anything is. */
  readonly must?: string | undefined
  /** The default in words. Default: as the server gives it. */
  readonly usual?: string
  /** Returns `undefined` for an answer that does not fit. */
  parse(text: string): FieldValue | undefined
}

/** A field whose answer is written. Enter alone takes the default. */
function writtenField(
  name: string,
  field: JsonObject,
  { newId, isRequired, asks, must, usual, parse }: FieldOptions & Rule,
): FormField {
  const preset = presetOf(field)
  const taken = preset === undefined ? undefined : `Enter alone: ${usual ?? oneLine(String(preset), 100)}`
  return {
    name,
    part: {
      id: newId.interaction(),
      kind: 'input',
      purpose: 'request_info',
      display: wordsOf(name, field, asks, must, taken),
      validation: { required: isRequired && preset === undefined },
    },
    read: ({ inputValue = '' }) => {
      if (inputValue.trim() === '') return preset === undefined ? {} : { value: preset }
      const value = parse(inputValue)
      return value === undefined ? misfit(inputValue, must ?? 'an answer') : { value }
    },
  }
}

function misfit(answer: string, must: string): FieldAnswer {
  return { misfit: `${JSON.stringify(oneLine(answer, 60))} is not ${must}` }
}

function presetOf({ default: preset }: JsonObject): string | number | string[] | undefined {
  if (Array.isArray(preset)) return preset.filter((one) => typeof one === 'string')
  return typeof preset === 'string' || typeof preset === 'number' ? preset : undefined
}

/** Formats of texts, as loosely as servers check them. */
const formats: Readonly<Record<string, readonly [must: string, pattern: RegExp]>> = {
  email: ['an email address', /^[^@\s]+@[^@\s]+$/],
  uri: ['an address such as https://example.com', /^[a-z][a-z\d+.-]*:\S+$/i],
  date: ['a date such as 2026-01-31', /^\d{4}-\d\d-\d\d$/],
  'date-time': [
    'a time such as 2026-01-31T09:30:00Z',
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:\d\d)$/i,
  ],
}

function textRule(field: JsonObject): Rule {
  const [named, pattern] = formats[textField(field, 'format') ?? ''] ?? []
  const { least, most, words } = limitsOf(field, 'minLength', 'maxLength')
  const must = words === '' ? named : `${named ?? 'a text'} of ${words} characters`
  return {
    must,
    parse: (text) => {
      const said = pattern === undefined ? text : text.trim()
      const length = [...said].length
      return length >= least && length <= most && (pattern?.test(said) ?? true) ? said : undefined
    },
  }
}

function numberRule(field: JsonObject): Rule {
  const { least, most, words } = limitsOf(field, 'minimum', 'maximum')
  const isWhole = field['type'] === 'integer'
  const range = Number.isFinite(most - least) ? ` from ${words}` : ` of ${words}`
  const must = `a ${isWhole ? 'whole ' : ''}number${words === '' ? '' : range}`
  return {
    must,
    parse: (text) => {
      const value = Number(text)
      const fits = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)
      return fits && value >= least && value <= most ? value : undefined
    },
  }
}

/** Several of the choices, by their labels or values. */
function listRule(field: JsonObject, choices: readonly Choice[]): Rule {
  const { least, most, words } = limitsOf(field, 'minItems', 'maxItems')
  const presets = [presetOf(field) ?? []].flat()
  return {
    usual: labelsOf(choices.filter(({ value }) => presets.includes(value))),
    must: `${words === '' ? 'any' : words} of these, with commas between: ${labelsOf(choices)}`,
    parse: (text) => {
      const found = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
        .map((word) => choiceNamed(word, choices))
      const values = [...new Set(found)].filter((value) => value !== undefined)
      const fits = !found.includes(undefined) && values.length >= least && values.length <= most
      return fits ? values : undefined
    },
  }
}

/** The value of the choice with this label or value, in any case of letters. */
function choiceNamed(word: string, choices: readonly Choice[]): string | undefined {
  const isNamed = (one: string) => one.toLowerCase() === word.toLowerCase()
  return choices.find(({ value, label }) => isNamed(value) || isNamed(label))?.value
}

function labelsOf(choices: readonly Choice[]): string {
  return choices.map(({ label }) => label).join(', ')
}

/** Limits of a field, and in words: `1 to 100`, `at least 1`; none if it has none. */
function limitsOf(field: JsonObject, lower: string, upper: string) {
  const [from, to] = [field[lower], field[upper]]
  const least = typeof from === 'number' ? from : Number.NEGATIVE_INFINITY
  const most = typeof to === 'number' ? to : Number.POSITIVE_INFINITY
  if (Number.isFinite(least) && Number.isFinite(most)) return { least, most, words: `${least} to ${most}` }
  if (Number.isFinite(least)) return { least, most, words: `at least ${least}` }
  return { least, most, words: Number.isFinite(most) ? `at most ${most}` : '' }
}
