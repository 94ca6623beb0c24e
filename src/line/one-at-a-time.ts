import type { AskLine } from './line-question.ts'

/** Puts one question at a time: an elf in the background may ask while the turn does. */
export function oneAtATime(askLine: AskLine): AskLine {
  let last: Promise<unknown> = Promise.resolve()
  return (question, signal) => {
    const asked = last.then(() => askLine(question, signal))
    last = asked.catch(() => undefined)
    return asked
  }
}
