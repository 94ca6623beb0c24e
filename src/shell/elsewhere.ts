import type { Field } from './fields.ts'
import { commandName } from './inner.ts'

/** By these this machine may be meant. */
const here = /^(.*@)?(localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?)(:|$)/i

/**
 * The words of a command up to the machine or container in which the others are run; `undefined` for one that runs nothing
 * elsewhere, or where it is not certain that it does.
 */
export function wordsHere(fields: readonly Field[]): readonly Field[] | undefined {
  const at = placeAt(fields)
  // Behind a machine ssh takes further options.
  if (at === undefined || /^-(?!-$)/.test(fields[at + 1]?.text ?? '')) return undefined
  const words = fields.slice(0, at + 1)
  return words.every(({ known, text }) => known && !here.test(text)) ? words : undefined
}

function placeAt(fields: readonly Field[]): number | undefined {
  const name = commandName(fields)
  if (name === 'ssh') return operandAt(fields, 1)
  if (!/^(docker|podman|kubectl|docker-compose)$/.test(name)) return undefined
  const exec = fields.findIndex(({ text }) => text === 'exec')
  if (exec === -1) return undefined
  const before = fields.slice(0, exec).map(({ text }) => text)
  const isOwn = (text: string, i: number) =>
    i === 0 || /^(-.*|compose)$/.test(text) || before[i - 1]?.startsWith('-') === true
  // With `run` a container may be given folders of this machine.
  const isCertain = !before.includes('run') && before.every(isOwn)
  return isCertain ? operandAt(fields, exec + 1) : undefined
}

/** The first word that is neither an option nor the value of one, or the one behind it. */
function operandAt(fields: readonly Field[], from: number): number | undefined {
  const isBare = (i: number) => /^-[^=]*$/.test(fields[i]?.text ?? '')
  const at = fields.findIndex(
    ({ text }, i) => i >= from && !text.startsWith('-') && (i === from || !isBare(i - 1)),
  )
  return at === -1 ? undefined : at
}

/** Whether a word names a file of another machine to a program that copies between machines. */
export function isFileElsewhere(name: string, text: string): boolean {
  return /^(scp|rsync|sftp)$/.test(name) && /^([\w.-]+@)?[\w.-]+:|^\w+:\/\//.test(text) && !here.test(text)
}
