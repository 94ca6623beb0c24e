import { OneByOne } from '../records/one-by-one.ts'
import type { AskLine } from './line-question.ts'

/** Puts one question at a time: an elf in the background may ask while the turn does. */
export function oneAtATime(askLine: AskLine): AskLine {
  const questions = new OneByOne()
  return (question, signal) => questions.run(() => askLine(question, signal))
}
