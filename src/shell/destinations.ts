import type { CommandContext } from '../command-line.ts'
import type { Field } from './fields.ts'
import { enter, foldersOf } from './folders.ts'
import { commandName } from './inner.ts'
import { valuesAfter } from './options.ts'
import type { Reach } from './reach.ts'

/** Commands that write to all files that they are given. */
const writers = /^(tee|touch|truncate|sponge|chmod|chown|patch|ed|ex|vi|vim|nano)$/

/** Commands that write to the last one, unless an option names the folder. */
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
  if (copiers.test(name)) return [...operands.slice(-1), ...given(args, /^(-t|--target-directory)/)]
  if (/^(sed|perl)$/.test(name))
    return args.some(({ text }) => /^-[A-Za-z]*i|^--in-p/.test(text)) ? operands : []
  if (name === 'dd') return operands.flatMap((text) => /^of=(.+)$/s.exec(text)?.[1] ?? [])
  if (name === 'curl') return given(args, /^(-o|--output)/)
  if (name === 'wget') return given(args, /^(-O|-P|--output-document|--directory-prefix)/)
  return []
}

function given(args: readonly Field[], flag: RegExp): readonly string[] {
  return valuesAfter(args, flag).filter((value) => value !== undefined)
}
