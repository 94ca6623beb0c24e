import { armingKey, isArmed } from './arming.ts'
import { columnsOf } from './columns.ts'
import type { Key } from './keys.ts'
import type { Question } from './question.ts'
import { isTooSmall, questionArea } from './question-view.ts'
import type { Screen } from './state.ts'

/** Explains why keys do not answer the question now, or why the last key did not, in the longest form that fits. */
export function questionHint(screen: Screen): string | undefined {
  const [question] = screen.questions
  if (question === undefined) return undefined
  const forms = formsOf(screen, question)
  const { columns } = screen.size
  return forms.find((form) => columnsOf(form) <= columns) ?? forms.at(-1)
}

const tab = armingKey.charAt(0).toUpperCase() + armingKey.slice(1)

function formsOf(screen: Screen, question: Question): readonly string[] {
  const { arming } = question
  if (arming.type === 'unarmed') {
    return [
      `you were typing: press ${tab} to answer; until then keys edit your draft`,
      `you were typing: press ${tab} to answer`,
      `${tab}: answer`,
    ]
  }
  if (arming.type === 'settling' && arming.early !== undefined) {
    const key = nameOf(arming.early)
    return [`${key} came too soon to be an answer: press it again`, `${key} came too soon: press it again`]
  }
  if (question.words === undefined && isTooSmall(question, questionArea(screen))) {
    return [
      'window too small to show the question: enlarge it, or press n',
      'window too small: enlarge it, or n',
      'too small: n?',
    ]
  }
  if (question.isRefused) {
    return [
      'not all of this was shown yet: PgDn to the end, ↑ ↓ to the choice, then answer',
      'PgDn to the end first, ↑ ↓ to the choice',
      'PgDn first',
    ]
  }
  if (isArmed(arming, screen.now)) return []
  return [`answer in a moment, or press ${tab} first`, `${tab}: answer`]
}

function nameOf(key: Key): string {
  return key.type === 'press' ? 'Enter' : `"${key.text}"`
}
