import { localUser } from '../actor.ts'
import { hasCode } from '../error.ts'
import { questionText } from '../frontend/question-text.ts'
import {
  type Interaction,
  type InteractionOption,
  type InteractionResponse,
  validateResponse,
} from '../interaction.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { visible } from '../terminal/visible.ts'

/** Reads one line from the user; `undefined` when they leave or the signal fires. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>

/**
 * Puts an interaction to the user: a numbered choice, yes or no, a line of text, or several of these in turn. Repeats the question
 * on an invalid answer. For a permission, an unclear answer means the default: no. `answeredBy` is an actor id.
 */
export async function putQuestion(
  interaction: Interaction,
  askLine: AskLine,
  signal: AbortSignal,
  answeredBy = localUser,
): Promise<InteractionResponse> {
  const { id: interactionId, parts } = interaction
  const ask = { line: (question: string) => askLine(question, signal), answeredBy }
  if (parts === undefined) return answerOne(interaction, '', ask)
  const given: InteractionResponse[] = []
  for (const [i, part] of parts.entries()) {
    const response = await answerOne(part, `${i + 1}/${parts.length} `, ask)
    if (response.cancelled === true) return { interactionId, answeredBy, cancelled: true }
    given.push(response)
  }
  return { interactionId, answeredBy, parts: given }
}

interface Asking {
  readonly line: (question: string) => Promise<string | undefined>
  readonly answeredBy: string
}

/** Asks until the answer fits. `count` is the question's number among several, such as `1/2 `. */
async function answerOne(
  interaction: Interaction,
  count: string,
  { line: ask, answeredBy }: Asking,
): Promise<InteractionResponse> {
  const { id: interactionId, options = [] } = interaction
  const form = forms[formOf(interaction)]
  const whole = `\n${count}${visible(questionText(interaction))}${visible(form.prompt(interaction))}`
  let question = whole
  for (;;) {
    const line = await ask(question)
    if (line === undefined) return { interactionId, answeredBy, cancelled: true }
    const response: InteractionResponse = { interactionId, answeredBy, ...form.read(line.trim(), options) }
    const objection = objectionTo(interaction, response)
    const confirm = options.find(({ id }) => id === response.selectedOptionId)?.confirm
    if (objection !== undefined) question = `${visible(objection)}\n> `
    else if (confirm === undefined) return response
    else {
      const meant = await ask(`${visible(confirm)} [y/N] `)
      if (meant === undefined) return { interactionId, answeredBy, cancelled: true }
      if (/^y(es)?$/i.test(meant.trim())) return response
      question = whole
    }
  }
}

/** A kind of question. */
interface Form {
  /** Returns the text below the question. */
  prompt(question: Interaction): string
  read(text: string, options: readonly InteractionOption[]): AnswerFields
}

type AnswerFields = Pick<InteractionResponse, 'selectedOptionId' | 'inputValue' | 'comment'>

const forms: Readonly<Record<'permission' | 'select' | 'confirm' | 'input', Form>> = {
  permission: {
    prompt: ({ options = [], withheld = [] }) => {
      const labels = options.map(({ label, detail }) =>
        detail === undefined ? label : `${label} (${detail})`,
      )
      const others = withheld.map(({ label, reason }) => `\n  - ${label} (not offered: ${reason})`)
      return `${numbered(labels)}${others.join('')}\n  or type what to do instead\n> `
    },
    read: readVerdict,
  },
  select: {
    prompt: ({ options = [] }) => {
      const labels = options.map(({ label, isDefault }) =>
        isDefault === true ? `${label} (default)` : label,
      )
      return `${numbered(labels)}\n  or type another answer\n> `
    },
    read: (text, options) => {
      const word = text.toLowerCase()
      const named = options[Number(text) - 1] ?? options.find(({ label }) => label.toLowerCase() === word)
      return choose(text === '' ? defaultOption(options) : named) ?? words(text)
    },
  },
  confirm: {
    prompt: ({ options = [] }) =>
      ` [${options.map(({ id, isDefault }) => letter(id, isDefault)).join('/')}] `,
    read: (text, options) => {
      const word = text.toLowerCase()
      const named = options.find(({ id }) => id === word || letter(id) === word)
      return choose(text === '' ? defaultOption(options) : named) ?? {}
    },
  },
  input: { prompt: () => '\n> ', read: words },
}

function formOf({ kind, purpose, options = [] }: Interaction): keyof typeof forms {
  if (purpose === 'confirm_risky_action') return 'permission'
  if (options.length === 0) return 'input'
  return kind === 'confirm' ? 'confirm' : 'select'
}

function numbered(labels: readonly string[]): string {
  return labels.map((label, i) => `\n  ${i + 1} ${label}`).join('')
}

/** Returns `y`, or `Y` if Enter selects it. */
function letter(id: string, isDefault = false): string {
  return isDefault ? id.charAt(0).toUpperCase() : id.charAt(0)
}

/** Returns the option that a plain yes selects: the primary one, else the first. */
function yesOption(options: readonly InteractionOption[]): InteractionOption | undefined {
  return options.find(({ style }) => style === 'primary') ?? options[0]
}

function defaultOption(options: readonly InteractionOption[]): InteractionOption | undefined {
  return options.find(({ isDefault }) => isDefault === true)
}

function choose(option: InteractionOption | undefined): AnswerFields | undefined {
  return option === undefined ? undefined : { selectedOptionId: option.id }
}

function words(text: string): AnswerFields {
  return text === '' ? {} : { inputValue: text }
}

/** Treats text that names no choice as the reason for a no. */
function readVerdict(text: string, options: readonly InteractionOption[]): AnswerFields {
  const chosen =
    options[Number(text) - 1] ??
    options.find((option) => option.id === text.toLowerCase()) ??
    (/^y(es)?$/i.test(text) ? yesOption(options) : defaultOption(options))
  const comment = chosen?.isDefault === true && !/^(\d*|no?|deny)$/i.test(text) ? text : undefined
  return omitUndefined({ selectedOptionId: chosen?.id, comment })
}

/** Returns the reason to ask again; `undefined` for a valid answer. */
function objectionTo(interaction: Interaction, response: InteractionResponse): string | undefined {
  if (formOf(interaction) === 'confirm' && response.selectedOptionId === undefined) {
    return `answer ${interaction.options?.map(({ label }) => label.toLowerCase()).join(' or ')}`
  }
  try {
    validateResponse(interaction, response)
    return undefined
  } catch (error) {
    if (hasCode(error, 'invalid')) return error.message
    throw error
  }
}
