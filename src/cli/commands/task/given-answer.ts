import type { Interaction, InteractionOption, InteractionResponse } from '../../../interaction.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printable } from '../../../terminal/printable.ts'
import { usageError } from '../../flags.ts'

/** The words after `pipe task answer ID`, and who says them. */
export interface Given {
  readonly words: readonly string[]
  readonly comment?: string | undefined
  /** Actor id. */
  readonly answeredBy: string
}

/**
 * Reads an answer from words: an option by its id, its number or the beginning of its label, or a text where the question takes one. A
 * question of several parts takes one word for each. Throws `usage`, naming the choices.
 */
export function readGivenAnswer(question: Interaction, given: Given): InteractionResponse {
  const { id: interactionId, parts } = question
  const { words, comment, answeredBy } = given
  if (parts === undefined)
    return {
      interactionId,
      answeredBy,
      ...choose(question, words.join(' ')),
      ...omitUndefined({ comment }),
    }
  if (words.length !== parts.length)
    throw usageError(
      `the question has ${parts.length} parts and takes one argument for each: ${parts.map(partOf).join('; ')}`,
      help,
    )
  const answers = parts.map((part, i) => ({
    interactionId: part.id,
    answeredBy,
    ...choose(part, words[i] ?? ''),
  }))
  return { interactionId, answeredBy, parts: answers, ...omitUndefined({ comment }) }
}

const help = 'pipe task --help'

/** Describes what a question takes, in one line. */
export function describeChoices({ options = [] }: Interaction): string {
  if (options.length === 0) return 'a text'
  return options.map(({ id, label }) => (id === label ? id : `${id} (${label})`)).join(', ')
}

function partOf(part: Interaction): string {
  return printable(`${part.display.title} – ${describeChoices(part)}`)
}

type Choice = Pick<InteractionResponse, 'selectedOptionId' | 'inputValue'>

function choose(question: Interaction, text: string): Choice {
  const { options = [] } = question
  const [only, ...others] = matching(options, text)
  if (only !== undefined && others.length === 0) return { selectedOptionId: only.id }
  if (only === undefined && takesText(question)) return { inputValue: text }
  const found = only === undefined ? 'no option' : 'several options'
  throw usageError(
    printable(`${JSON.stringify(text)} is ${found} of the question; it takes ${describeChoices(question)}`),
    help,
  )
}

/** Finds options, by the first way that finds any. */
function matching(options: readonly InteractionOption[], text: string): readonly InteractionOption[] {
  const word = text.trim().toLowerCase()
  const ways: readonly ((option: InteractionOption, index: number) => boolean)[] = [
    ({ id }) => id.toLowerCase() === word,
    (_, index) => String(index + 1) === word,
    ({ label }) => label.toLowerCase() === word,
    ({ label }) => word !== '' && label.toLowerCase().startsWith(word),
  ]
  for (const way of ways) {
    const found = options.filter(way)
    if (found.length > 0) return found
  }
  return []
}

/** Whether an answer in other words counts. A permission and an agent must be chosen. */
function takesText({ options = [], kind, purpose }: Interaction): boolean {
  if (options.length === 0) return true
  return kind !== 'confirm' && purpose !== 'confirm_risky_action' && purpose !== 'assign_subtask'
}
