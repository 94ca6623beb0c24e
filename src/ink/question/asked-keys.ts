import type { Action } from '../keys/action.ts'
import { editPrompt } from '../prompt/editing.ts'
import { insertText, sentText } from '../prompt/prompt.ts'
import { readDraftKey } from '../prompt/prompt-keys.ts'
import type { Screen } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { isCommanding } from '../vim/vim.ts'
import { armed, armingAfterEarly, armingKey, earlyText, isArmed } from './arming.ts'
import type { Question } from './asked-question.ts'
import { choiceFor, leave, moveQuestion, readQuestionKey, scrollQuestion } from './question-keys.ts'
import { questionArea } from './question-view.ts'

const nothing: Action = { type: 'nothing' }

/** Reads a key while a question is open: as an answer if it is armed, else as an edit of the draft. */
export function readAskedKey(screen: Screen, question: Question, key: Key, now: number): Action {
  const name = key.type === 'press' ? key.name : ''
  const { arming } = question
  const isOpen = isArmed(arming, now)
  if (name === 'shift+tab') return nothing
  if (name === 'esc' && question.confirming !== undefined) return leave(question.confirming.back)
  if (name === 'esc' && !isOpen) return { type: 'interrupt' }
  if (arming.type === 'unseen') return readUnarmed(screen, question, key)
  if (name === 'pageup' || name === 'pagedown') return scrollQuestion(question, questionArea(screen), name)
  if (isOpen) return readArmed(screen, question, key)
  if (name === armingKey) return consider({ ...question, arming: armed })
  return arming.type === 'settling'
    ? readEarly(screen, question, key, now)
    : readUnarmed(screen, question, key)
}

/** Reads a key as an answer, else as an edit of the draft. */
function readArmed(screen: Screen, question: Question, key: Key): Action {
  const action = readQuestionKey(question, questionArea(screen), key)
  return action.type === 'nothing' ? writeDraft(screen, question, key) : action
}

/** Reports an answer that comes too soon and ignores it. Any other text edits the draft and keeps an early answer before it. */
function readEarly(screen: Screen, question: Question, key: Key, now: number): Action {
  const tooSoon = consider({ ...question, arming: armingAfterEarly(now, key) })
  if (key.type === 'press' && key.name === 'enter') return tooSoon
  // A user who answered the earlier parts is ready for this one.
  if (question.words !== undefined && question.answers.length > 0) return readArmed(screen, question, key)
  if (key.type === 'press' && question.words === undefined) {
    const moved = moveQuestion(question, questionArea(screen), key.name)
    if (moved.type !== 'nothing') return moved
  }
  const before = earlyText(question.arming)
  const isAnswer = key.type === 'text' && choiceFor(question, key.text) >= 0
  if (isAnswer && (before === '' || before === key.text)) return tooSoon
  return writeDraft(screen, question, key)
}

/** Reads a key as the prompt does without a question, but never sends an answer to the model. */
function readUnarmed(screen: Screen, question: Question, key: Key): Action {
  if (key.type === 'press' && key.name === 'enter') {
    // Without a turn, the question itself holds back a message.
    const isAnswer = looksLikeAnswer(question, sentText(screen.prompt))
    // A message about a plan is an answer to it.
    const isHeld = screen.busySince === undefined && question.asker?.type !== 'plan'
    return isHeld || isAnswer ? nothing : readDraftKey(screen, key)
  }
  const action = readDraftKey(screen, key)
  if (action.type === 'take_back') return action
  return writeDraft(screen, question, key)
}

/** Edits the draft, which unarms the question. */
function writeDraft({ prompt }: Screen, question: Question, key: Key): Action {
  // Among keys that are commands, an early answer is not part of the draft.
  const early = isCommanding(prompt.vim) ? '' : earlyText(question.arming)
  const edited = editPrompt(insertText(prompt, early), key)
  const isSame = edited?.text === prompt.text && edited.cursor === prompt.cursor && edited.vim === prompt.vim
  if (edited === undefined || isSame) return nothing
  return { type: 'edit', prompt: edited }
}

function looksLikeAnswer(question: Question, draft: string): boolean {
  const word = draft.trim().toLowerCase()
  return ['yes', 'no'].includes(word) || choiceFor(question, word) >= 0
}

function consider(question: Question): Action {
  return { type: 'consider', question }
}
