import { basename } from 'node:path'
import type { Field } from '../../bash/fields.ts'
import { copied, valuesIn, withoutOptions } from '../copying.ts'
import { opened, removed, says, stopped } from '../dangers.ts'
import { disk, overwrites } from '../disk.ts'
import type { Copying, Family, OptionSpec, Pattern, Program, Reader } from '../program.ts'
import { type Arguments, splitArguments } from '../program-arguments.ts'
import { hasOutput, orHere, outputOption } from '../program-options.ts'
import { namesOnly, none, textOnly, without } from '../readers.ts'
import { fieldsAfter, hasOne, hasWord } from '../word-fields.ts'
import { wrapper } from '../wrapping.ts'

const copyingOptions =
  'force interactive no-clobber no-target-directory strip-trailing-slashes update verbose'

/** Changes all its operands. */
const changer: Program = { mayWrite: 'unknown words', wordsAreData: true, writes: valuesIn }

/** Changes the entries of folders without opening the files in them. */
const entryChanger: Program = { ...changer, opensNone: true, walksNames: true }

/** Options of `patch` that name the folder to work in. */
const patchFolder = /^(-[A-Za-z]*?d|--dir[a-z]*)/

const recursively = { '--recursive': '-R' }

/** Reads the files that it names. With `-c`, a list names others. */
const sums: Reader = { accepts: without('c', '--check') }

/** Commands on files and the system that every machine has. */
export const coreutils: Family = {
  ls: {
    reads: { contents: none },
    recursive: /^-[A-Za-z0-9]*R|^--rec/,
    walksNames: true,
    followsLinks: /^-[A-Za-z0-9]*L|^--d\w*e/,
  },
  stat: { reads: { valued: 'c', contents: none } },
  du: {
    reads: { valued: 'dBt', accepts: without('', '--files0-from'), globs: true },
    readsListed: hasOne(/^--files0/),
    recursive: 'always',
    walksNames: true,
    followsLinks: /^-[A-Za-z0-9]*L|^--d\w*e/,
  },
  df: { reads: { valued: 'Bt' } },
  'readlink realpath': { reads: { contents: none } },
  'basename dirname': { reads: namesOnly, opensNone: true },
  'seq expr sleep which': { reads: textOnly, opensNone: true },
  'numfmt uname whoami id groups nproc free uptime pgrep': { reads: textOnly },
  arch: { ...wrapper(), reads: { files: none, accepts: (_, args) => args.join('') === '' } },
  hostname: { reads: { files: none, accepts: (_, args) => args.every((arg) => /^-[adfiIs]+$/.test(arg)) } },
  ps: { reads: { files: none, accepts: isProcessList } },
  date: { reads: { valued: 'dr', files: none, accepts: isDateShown } },
  'pkill killall': { wordsAreData: true, danger: stopped },
  'pidof service': { wordsAreData: true },
  'shutdown reboot halt poweroff': { danger: says('shuts the computer down') },
  crontab: { danger: (args) => (hasWord(args, /^-l$/) ? undefined : 'changes what runs on a schedule') },
  'tee truncate': { ...changer, ruins: onDisk },
  patch: {
    ...changer,
    // Its files are those that the patch names, unless its words do.
    fills: (args, operands) =>
      operands.length > 0 || hasWord(args, /^--dry/) ? [] : orHere(fieldsAfter(args, patchFolder)),
    valued: /^(-[dDFgGioprVYzB]|--(input|output|directory|fuzz|get|reject-file|suffix|prefix))$/,
  },
  sponge: { mayWrite: 'unknown words', writes: valuesIn },
  'touch rmdir': { ...changer, opensNone: true },
  unlink: { ...changer, opensNone: true, danger: removed },
  link: { mayWrite: 'any file', writes: (_, operands) => operands.slice(1) },
  mktemp: { outputs: /^(-[a-z]*p|--tmp[a-z]*)/, writes: (_, operands) => operands },
  mkdir: entryChanger,
  chgrp: { ...entryChanger, danger: opened },
  rm: {
    ...entryChanger,
    danger: removed,
    removes: removedByRm,
    optionNames: { '--recursive': '-r', '-R': '-r', '--force': '-f' },
    risk: (args) =>
      args.some((arg) => /^-[a-zA-Z]*[rRf]|^--(rec|for)/.test(arg))
        ? 'it deletes whatever is there when it runs'
        : undefined,
  },
  chown: { ...entryChanger, optionNames: recursively, danger: opened },
  chmod: { ...entryChanger, optionNames: recursively, removes: madeUnreadable, danger: opened },
  shred: { ...changer, removes: withoutOptions, ruins: onDisk, danger: removed },
  srm: { writes: valuesIn, removes: withoutOptions, danger: removed },
  trash: { writes: valuesIn, removes: withoutOptions },
  'mkfifo mknod setfacl setfattr chattr chcon fallocate dos2unix unix2dos': { writes: valuesIn },
  dd: {
    mayWrite: 'unknown words',
    wordsAreData: true,
    writes: (args) =>
      args.flatMap((field) =>
        field.text.startsWith('of=') ? [{ ...field, text: field.text.slice(3) }] : [],
      ),
    ruins: (args) =>
      args.some((arg) => /^of=\/dev\/(?!null$|stdout$|stderr$)/.test(arg)) ? overwrites : undefined,
  },
  blkdiscard: { ruins: onDisk },
  wipefs: { ruins: () => empties },
  'parted fdisk sfdisk cfdisk sgdisk gdisk': {
    ruins: (args) =>
      args.some((arg) => /^(-[lp]|--list|--print|print)$/.test(arg)) ? undefined : onDisk(args),
  },
  cp: {
    ...copier(
      `abdfHiLnPpRrTuvxt:S: ${copyingOptions} archive recursive dereference no-dereference preserve no-preserve one-file-system reflink sparse backup target-directory= suffix=`,
    ),
    followsLinks: /^-[A-Za-z]*L|^--d\w*e/,
    ruins: onDisk,
  },
  mv: {
    ...copier(`bfinTuvt:S: ${copyingOptions} backup target-directory= suffix=`, { moves: true }),
    removes: movedAway,
    ruins: onDisk,
  },
  install: {
    ...copier(
      'bcCdDpsTvg:m:o:t:S: directory compare strip verbose preserve-timestamps no-target-directory backup group= mode= ' +
        'owner= target-directory= suffix=',
    ),
    writes: (args, operands) => (hasWord(args, /^-[A-Za-z]*d|^--d/) ? operands : copied({}, args, operands)),
  },
  ln: {
    ...copier(
      'bfiLnPrsTvt:S: symbolic force interactive logical physical relative no-dereference no-target-directory verbose ' +
        'backup target-directory= suffix=',
    ),
    mayWrite: 'any file',
    writes: (args, operands) =>
      operands.length === 1
        ? operands.map((one) => ({ ...one, text: basename(one.text) }))
        : copied({}, args, operands),
  },
  base64: {
    reads: { valued: 'w', accepts: without('o', '--output') },
    outputs: outputOption,
    doesMore: hasOutput,
  },
  'md5sum sha256sum sha512sum cksum': { reads: sums },
  sha1sum: { reads: sums, wordsAreData: true },
  'sum open code': { wordsAreData: true },
}

export const coreutilsByPattern: readonly Pattern[] = [[/^mkfs(\..*)?$/, { ruins: () => empties }]]

const empties = 'it empties a disk'

function onDisk(args: readonly string[]): string | undefined {
  return args.some((arg) => disk.test(arg)) ? overwrites : undefined
}

function copier(options: OptionSpec, copies: Copying = {}): Program {
  return { options, copies, mayWrite: 'unknown words', wordsAreData: true }
}

function isDateShown({ options, operands }: Arguments): boolean {
  const shows = /^(-[uR]+|-I\w*|-[dr].*|--(utc|universal|rfc-email|iso-8601|rfc-3339|date|reference))$/
  return options.every((one) => shows.test(one)) && operands.every((one) => one.startsWith('+'))
}

/** Whether `ps` shows no environments, which may hold keys. An `e` without a dash does, and `-E`. */
function isProcessList(_: Arguments, args: readonly string[]): boolean {
  const { operands } = splitArguments(args, 'oOCuUp')
  return (
    !operands.some((one) => /^[A-Za-z]*e/.test(one)) && !args.some((arg) => /^-[A-Za-z]*E|environ/.test(arg))
  )
}

/** The operands of `rm -r`, or globs. An unknown word may be `-r`. */
function removedByRm(args: readonly Field[]): readonly Field[] {
  const operands = withoutOptions(args)
  if (goesBelow(args)) return operands
  const maybe = args.some(({ known }) => !known)
  return operands.filter(({ glob, known }) => glob || (maybe && known))
}

/** The sources of `mv`. */
function movedAway(args: readonly Field[]): readonly Field[] {
  const end = hasWord(args, /^-[A-Za-z]*t|^--t/) ? undefined : -1
  return withoutOptions(args)
    .slice(0, end)
    .filter(({ known, glob }) => known && !glob)
}

/** The folders that `chmod -R` makes unreadable. */
function madeUnreadable(args: readonly Field[]): readonly Field[] {
  return goesBelow(args) && args.some(({ text }) => hidesFromOwner(text)) ? withoutOptions(args) : []
}

function goesBelow(args: readonly Field[]): boolean {
  return hasWord(args, /^-[A-Za-z]*[rR]|^--r/)
}

/** Whether a word is a file mode that does not let the owner read: `a-r`, `u=`, `077`. */
function hidesFromOwner(word: string): boolean {
  if (/^\d+$/.test(word)) return /^0+$|^0*[0-3]?[0-3][0-7][0-7]$/.test(word)
  const [, who = '', change = ''] = /^([ugoa]*)([-=].*)$/s.exec(word) ?? []
  const isOwner = who === '' || /[ua]/.test(who)
  return isOwner && (change === '=' || /^-[wxX]*r/.test(change))
}
