import { basename, join } from 'node:path'
import type { CommandContext, Destination } from '../command-line.ts'
import type { Field } from './fields.ts'
import { enter, foldersOf } from './folders.ts'
import { commandName, innerOf } from './inner.ts'
import { cdOption, fieldsAfter } from './options.ts'
import type { Reach } from './reach.ts'

/** Commands that write to, make or remove all that they are given. */
const writers = new Set(
  (
    'tee touch truncate sponge chmod chown chgrp patch ed ex vi vim nano rm rmdir unlink shred srm trash mkdir mkfifo mknod ' +
    'setfacl chattr'
  ).split(' '),
)

/** Commands that write to one of those behind the first, unless an option names the folder. */
const copiers = /^(cp|mv|install|ln|scp|rsync)$/

/** Commands that put something else in the place of what they are given, but with some options. */
const compressors = /^(gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|lzma|unlzma|compress|uncompress)$/

/** Commands that write to what is behind the first, and their options of which the next word is the value. */
const converters = new Map([
  ['uniq', /^-[^-fsw]*[fsw]$/],
  ['xxd', /^-(c|cols|g|l|len|n|o|s|seek)$/],
  ['split', /^-[^-abClnt]*[abClnt]$/],
])

/** Before what a command writes to. */
const outputs: readonly (readonly [name: RegExp, flag: RegExp])[] = [
  [/^curl$/, /^(-[A-Za-z]*?o|--output(-dir)?(?==|$))/],
  [/^wget$/, /^(-[A-Za-z]*?[OP]|--output-document|--directory-prefix)/],
  [/^(.*-)?(gcc|cc|tcc|[gc]\+\+|clang(\+\+)?|ld|as|gfortran|rustc|nasm|yasm)(-[\d.]+)?$/, /^(-o|--output)/],
  [/^openssl$/, /^--?(out|keyout|writerand)$/],
  [/^(sort|shuf)$/, /^(-[A-Za-z]*?o|--o[a-z]*)/],
  [/^(gpg2?|age|pandoc|tree|strace|ltrace|xmllint|xsltproc|iconv|bison|flex|m4)$/, /^(-o|--output)/],
  [/^go$/, /^--?o(?==|$)/],
  [/^(tsc|esbuild)$/, /^--?out(file|dir)?(?==|$)/i],
  [/^git$/, /^--output/],
  [/^csplit$/, /^(-[A-Za-z]*?f|--p[a-z]*)/],
  [/^unzip$/, /^-[a-zA-Z]*?d/],
  [/^7z[az]?$/, /^-o/],
  [/^find$/, /^-f(print0?|printf|ls)$/],
]

/**
 * What the commands of a line certainly write to, make or remove, beside redirects. What is not known before it runs is left out.
 * `fed`: words that xargs hands to what it runs.
 */
export function destinationsOf(
  reach: Reach,
  context: CommandContext,
  fed: readonly Field[],
): readonly Destination[] {
  const places = placesOf(reach, context)
  const all = new Map<string, Destination>()
  for (const fields of [...reach.commands, ...fedCommands(reach, fed)]) {
    for (const { text, glob, known } of targetsOf(fields)) {
      if (!known) continue
      for (const place of places) {
        const one = { path: enter(place.path, text, context.home), glob: glob || place.glob }
        all.set(`${one.glob} ${one.path}`, one)
      }
    }
  }
  return [...all.values()]
}

/** Globs that `cd` is given, of which more are not told apart. */
const mostGlobs = 8

/** Where commands may run, also where only a glob says it. */
function placesOf(reach: Reach, context: CommandContext): readonly Destination[] {
  const folders = foldersOf(reach, context)
  const globs = reach.commands.flatMap((fields) => {
    const folder = fields.slice(1).find(({ text }) => !cdOption.test(text))
    return /^(cd|pushd)$/.test(commandName(fields)) && folder?.glob && folder.known ? [folder.text] : []
  })
  return [
    ...folders.map((path) => ({ path, glob: false })),
    ...globs
      .slice(0, mostGlobs)
      .flatMap((glob) => folders.map((path) => ({ path: enter(path, glob, context.home), glob: true }))),
  ]
}

/** What xargs runs, with what it is fed in the place of what is not known. */
function fedCommands({ commands }: Reach, fed: readonly Field[]): readonly (readonly Field[])[] {
  if (fed.length === 0) return []
  return commands
    .filter((fields) => commandName(fields) === 'xargs')
    .flatMap((fields) => innerOf(fields).commands)
    .map((fields) => fields.flatMap((field) => (field.known ? [field] : fed)))
}

/** What a command writes to, among it words that are not known. */
function targetsOf(fields: readonly Field[]): readonly Field[] {
  const name = commandName(fields)
  const args = fields.slice(1)
  const operands = operandsOf(args, converters.get(name))
  const has = (flag: RegExp) => args.some(({ text }) => flag.test(text))
  const named = outputs.flatMap(([command, flag]) => (command.test(name) ? fieldsAfter(args, flag) : []))
  if (writers.has(name)) return operands
  if (compressors.test(name)) return has(/^-[A-Za-z]*[clt]|^--(st|to-st|l|te)/) ? [] : operands
  if (name === 'install' && has(/^-[A-Za-z]*d|^--d/)) return operands
  if (copiers.test(name)) return copiesOf(name, operands, fieldsAfter(args, /^(-[A-Za-z]*?t|--t[a-z-]*)/))
  if (/^(sed|perl)$/.test(name)) return has(/^-[A-Za-z]*i|^--in-p/) ? operands : []
  if (name === 'dd') return fieldsAfter(args, /^of=/)
  if (/^(g|bsd)?tar$/.test(name)) return archiveTargets(args, operands)
  if (name === 'unzip') return [...named, ...behindFirst(operands)]
  if (name === 'zip') return operands.slice(0, 1)
  return converters.has(name) ? behindFirst(operands) : named
}

/** Behind a single word others may stand, where a glob is more than one. */
function behindFirst(operands: readonly Field[]): readonly Field[] {
  return operands.length === 1 ? operands.filter(({ glob }) => glob) : operands.slice(1)
}

/** Also those that are not known: behind them others stand. */
function operandsOf(args: readonly Field[], valued = /^--(exclude|include)$/): readonly Field[] {
  return args.filter(({ text }, i) => !text.startsWith('-') && !valued.test(args[i - 1]?.text ?? ''))
}

/** Words at the end of which each may be the folder that the others come into: behind it stand values of options. */
const mostFolders = 3

/** Each operand behind the first may be the target, a file or a folder that the others come into. What is moved is gone from where it was. */
function copiesOf(name: string, operands: readonly Field[], named: readonly Field[]): readonly Field[] {
  const targets = [...(name === 'mv' ? operands : behindFirst(operands)), ...named]
  const folders = [...behindFirst(operands).slice(-mostFolders), ...named]
  const inside = folders.flatMap((folder) =>
    operands
      .filter((one) => one !== folder)
      .map((one) => ({
        text: join(folder.text, basename(one.text)),
        known: folder.known && one.known,
        glob: folder.glob || one.glob,
      })),
  )
  return [...targets, ...inside]
}

/** What tar takes out of an archive, and where to; the archive, where it makes one. */
function archiveTargets(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const [first] = args
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text)
  const letters = isOld ? [`-${first.text}`] : []
  const modes = [...letters, ...args.map(({ text }) => text)]
  const has = (mode: RegExp) => modes.some((text) => mode.test(text))
  if (has(/^-[A-Za-z]*x|^--(ext|ge)/))
    return [...operands, ...fieldsAfter(args, /^(-[A-Za-z]*?C|--di[a-z]*|--cd|--one[a-z-]*)/)]
  if (!has(/^-[A-Za-z]*[cruA]|^--(cr|app|up|cat|con|del)/)) return []
  // Before the dash was known, values stood behind all the letters, one for each.
  const values = isOld ? args.slice(1, 1 + first.text.replace(/[^bfCTXgVNKHLFI]/g, '').length) : []
  return [...values, ...fieldsAfter(args, /^(-[A-Za-z]*?f|--fi[a-z]*)/)]
}
