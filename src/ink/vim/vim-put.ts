import { borderAfter, borderBefore } from '../prompt/borders.ts'
import { adopted } from '../prompt/placeholders.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { endOfLine, firstNonBlank, type Stretch, startOfLine } from './lines-at.ts'
import type { Register } from './vim.ts'
import { changedTo } from './vim-change.ts'

/** Puts a register behind the cursor, or before it. */
export function putRegister(prompt: Prompt, register: Register, isBefore: boolean, count: number): Prompt {
  if (register.text === '' && !register.isLines) return prompt
  const { text, cursor } = prompt
  const put = adopted(prompt.pastes, register)
  const pastes = put.pastes.length === prompt.pastes.length ? prompt.pastes : put.pastes
  if (register.isLines) {
    const lines = Array.from({ length: count }, () => put.text).join('\n')
    const at = isBefore ? startOfLine(text, cursor) : endOfLine(text, cursor)
    const added = isBefore ? `${lines}\n` : `\n${lines}`
    const changed = text.slice(0, at) + added + text.slice(at)
    const start = isBefore ? at : at + 1
    return changedTo(prompt, {
      text: changed,
      cursor: firstNonBlank({ text: changed, pastes }, start),
      pastes,
    })
  }
  const added = put.text.repeat(count)
  const isEmpty = endOfLine(text, cursor) === cursor
  const at = isBefore || isEmpty ? cursor : borderAfter(prompt, cursor)
  const changed = text.slice(0, at) + added + text.slice(at)
  const end = borderBefore({ text: changed, pastes }, at + added.length)
  return changedTo(prompt, { text: changed, cursor: added.includes('\n') ? at : end, pastes })
}

/** Puts a register in the place of a part of the text. */
export function putOver(prompt: Prompt, stretch: Stretch, register: Register, count: number): Prompt {
  const { start, end, isLines } = stretch
  const { text } = prompt
  const put = adopted(prompt.pastes, register)
  const pastes = put.pastes.length === prompt.pastes.length ? prompt.pastes : put.pastes
  const isLined = isLines || register.isLines
  const all = Array.from({ length: count }, () => put.text).join(isLined ? '\n' : '')
  const added = !isLines && register.isLines ? `\n${all}\n` : all
  const changed = text.slice(0, start) + added + text.slice(end)
  const shown = { text: changed, pastes }
  const first = register.isLines && !isLines ? start + 1 : start
  const last = added === '' ? start : borderBefore(shown, start + added.length)
  const cursor = isLined ? firstNonBlank(shown, first) : added.includes('\n') ? start : last
  return changedTo(prompt, { text: changed, cursor, pastes })
}
