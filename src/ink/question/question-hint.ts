import { columnsOf } from '../rows/columns.ts'
import { type Line, line } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { armingKey, isArmed } from './arming.ts'
import type { Question } from './asked-question.ts'
import { drawRule, isFramed, ruleRoom } from './question-frame.ts'
import { isTooSmall, questionArea } from './question-view.ts'

/**
 * Explains why keys do not answer the question now, or why the last key did not, in the longest form that fits the status line.
 * `undefined` if the rule below the question says it.
 */
export function questionHint(screen: Screen): string | undefined {
  const [question] = screen.questions
  if (question === undefined || hasFoot(question, questionArea(screen))) return undefined
  return fitting(formsOf(screen, question), screen.size.columns)
}

/** Draws the rule below a question, which says what keys do or why they do nothing. None in a small window. */
export function drawFoot(screen: Screen, question: Question): readonly Line[] {
  if (!hasFoot(question, questionArea(screen))) return []
  const { columns } = screen.size
  const room = ruleRoom(columns)
  const hint = fitting(formsOf(screen, question), room)
  const keys = fitting(keyForms(screen, question), room) ?? ''
  const text = hint === undefined ? line(keys, { color: 'muted' }) : warned(hint)
  return [drawRule(text, columns)]
}

function warned(hint: string): Line {
  return line(hint, { color: 'warning', bold: true })
}

function hasFoot({ words }: Question, area: Size): boolean {
  return words === undefined && isFramed(area)
}

function fitting(forms: readonly string[], columns: number): string | undefined {
  return forms.find((form) => columnsOf(form) <= columns) ?? forms.at(-1)
}

/** Says what Enter and Esc do. */
function keyForms(screen: Screen, { asker, confirming }: Question): readonly string[] {
  const enter = 'Enter chooses ❯'
  if (confirming !== undefined) return [`${enter} · Esc goes back`, enter]
  const isHeld = asker === undefined ? screen.busySince === undefined : asker.type === 'trust'
  if (isHeld) return [`${enter} · Esc cancels`, enter]
  if (asker !== undefined) return [`${enter} · Esc closes it`, enter]
  return [`${enter} · Esc stops the turn`, `${enter} · Esc stops`, enter]
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
