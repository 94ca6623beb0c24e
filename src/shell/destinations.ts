import { basename, join } from 'node:path'
import type { CommandContext } from '../command-line.ts'
import type { Field } from './fields.ts'
import { enter, foldersOf } from './folders.ts'
import { commandName } from './inner.ts'
import { valuesAfter } from './options.ts'
import type { Reach } from './reach.ts'

/** Commands that write to all files that they are given. */
const writers = /^(tee|touch|truncate|sponge|chmod|chown|patch|ed|ex|vi|vim|nano)$/

/** Commands that write to one of those behind the first, unless an option names the folder. */
const copiers = /^(cp|mv|install|ln|scp|rsync)$/

/** Where the commands of a line certainly write to, beside redirects: absolute paths. What is not known before it runs is left out. */
export function destinationsOf(reach: Reach, context: CommandContext): readonly string[] {
  const places = foldersOf(reach, context)
  return reach.commands.flatMap((fields) =>
    targetsOf(fields).flatMap((target) => places.map((place) => enter(place, target, context.home))),
  )
}

function targetsOf(fields: readonly Field[]): readonly string[] {
  const name = commandName(fields)
  const args = fields.slice(1)
  const operands = args.filter(({ text, known }) => known && !text.startsWith('-')).map(({ text }) => text)
  if (writers.test(name)) return operands
  if (copiers.test(name)) return copiesOf(operands, given(args, /^(-[A-Za-z]*t|--target-d\w*)/))
  if (/^(sed|perl)$/.test(name))
    return args.some(({ text }) => /^-[A-Za-z]*i|^--in-p/.test(text)) ? operands : []
  if (name === 'dd') return operands.flatMap((text) => /^of=(.+)$/s.exec(text)?.[1] ?? [])
  if (name === 'curl') return given(args, /^(-[A-Za-z]*o|--output)/)
  if (name === 'wget') return given(args, /^(-[A-Za-z]*[OP]|--output-document|--directory-prefix)/)
  return []
}

/** Each operand behind the first may be the target, a file or a folder that the others come into. */
function copiesOf(operands: readonly string[], folders: readonly string[]): readonly string[] {
  const targets = [...operands.slice(1), ...folders]
  return targets.flatMap((target) => [target, ...operands.map((one) => join(target, basename(one)))])
}

function given(args: readonly Field[], flag: RegExp): readonly string[] {
  return valuesAfter(args, flag).filter((value) => value !== undefined)
}
