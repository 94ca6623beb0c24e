import { PipeError } from '../../error.ts'
import type { Interaction, InteractionOption, InteractionResponse } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { errorResult, textResult } from '../../tool.ts'
import { defineRunner } from '../runner.ts'
import type { Workspace } from '../workspace.ts'

export const ask = defineRunner({
  name: 'ask',
  schema: (schemas) => schemas.ask(),
  async *run({ questions }, workspace) {
    const posed = questions.map((question) => ({ ...question, interaction: pose(question, workspace) }))
    const interaction = together(
      posed.map((one) => one.interaction),
      workspace,
    )
    const response = yield { type: 'interaction', interaction }
    if (response === undefined || response.cancelled === true) {
      return errorResult('the user did not answer: decide yourself, or end and say what you need to know')
    }
    const answers = posed.map(({ question, interaction, default: preset }) => ({
      question,
      answer: answerTo(interaction, response) ?? preset ?? '(no answer)',
    }))
    const lines = answers.map(({ question, answer }) => `${question} → ${answer}`)
    return textResult(lines.join('\n'), { answers })
  },
})

interface Question {
  readonly question: string
  readonly kind: 'select' | 'confirm' | 'input'
  readonly options?: readonly string[] | undefined
  /** An option, `yes` or `no` (`true` or `false`), or text. Ignored if it is none of the options. */
  readonly default?: string | undefined
}

/** Builds the interaction for a question. Without a default it requires an answer. */
function pose(
  { question, kind, options = [], default: preset }: Question,
  { newId }: Workspace,
): Interaction {
  const purpose = kind === 'select' ? 'choose_strategy' : 'request_info'
  const common = { id: newId.interaction(), kind, purpose } as const
  if (kind === 'input') {
    const description = preset === undefined ? undefined : `Enter alone: ${preset}`
    return {
      ...common,
      display: { title: question, ...omitUndefined({ description }) },
      validation: { required: preset === undefined },
    }
  }
  if (kind === 'select' && options.length < 2) {
    throw new PipeError('invalid', `"${question}" has nothing to select from: give at least two options`)
  }
  const choices = kind === 'confirm' ? confirmOptions(preset) : selectOptions(options, preset)
  const required = !choices.some(({ isDefault }) => isDefault === true)
  return { ...common, display: { title: question }, options: choices, validation: { required } }
}

function confirmOptions(preset: string | undefined): readonly InteractionOption[] {
  const wanted = preset?.toLowerCase()
  return [
    { id: 'yes', label: 'Yes', isDefault: wanted === 'yes' || wanted === 'true' },
    { id: 'no', label: 'No', isDefault: wanted === 'no' || wanted === 'false' },
  ]
}

function selectOptions(labels: readonly string[], preset: string | undefined): readonly InteractionOption[] {
  const first = preset === undefined ? -1 : labels.indexOf(preset)
  return labels.map((label, i) => ({ id: String(i + 1), label, isDefault: i === first }))
}

/** Combines questions into one interaction. */
function together(parts: readonly Interaction[], { newId }: Workspace): Interaction {
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) return only
  return {
    id: newId.interaction(),
    kind: 'composite',
    purpose: 'request_info',
    display: { title: `${parts.length} questions` },
    parts,
  }
}

/** The chosen or written answer with its comment. `undefined` if there is none. */
function answerTo(
  { id, options }: Interaction,
  { parts, ...whole }: InteractionResponse,
): string | undefined {
  const { selectedOptionId, inputValue, comment } =
    parts?.find(({ interactionId }) => interactionId === id) ?? whole
  const chosen = options?.find((option) => option.id === selectedOptionId)?.label
  const said = [chosen ?? inputValue, comment].filter((one) => one !== undefined && one !== '')
  return said.length === 0 ? undefined : said.join(': ')
}
