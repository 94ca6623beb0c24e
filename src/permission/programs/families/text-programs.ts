import { type Field, knownField } from '../../bash/fields.ts'
import { behindFirst } from '../copying.ts'
import type { Family } from '../program.ts'
import type { Arguments } from '../program-arguments.ts'
import { hasOutput } from '../program-options.ts'
import { textOnly, without } from '../readers.ts'
import { fieldsAfter, hasOne, hasWord } from '../word-fields.ts'
import { awk, mawk, nawk } from './awk.ts'
import { jq } from './jq.ts'
import { gsed, sed } from './sed.ts'

/** Commands that print, filter and compare text. */
export const textPrograms: Family = {
  'cat rev comm': { reads: {} },
  head: { reads: { valued: 'nc' } },
  tail: { reads: { valued: 'ncs' } },
  wc: { reads: { accepts: without('', '--files0-from'), globs: true }, readsListed: hasOne(/^--files0/) },
  nl: { reads: { valued: 'bdfhilnsvw' } },
  tac: { reads: { valued: 's' } },
  cut: { reads: { valued: 'dfcb' } },
  paste: { reads: { valued: 'd' } },
  fold: { reads: { valued: 'w' } },
  'expand join': { reads: { valued: 't' } },
  column: { reads: { valued: 'csNRHWTO' } },
  cmp: { reads: { valued: 'in' } },
  od: { reads: { valued: 'AjNSt' } },
  hexdump: { reads: { valued: 'nse' } },
  tr: { reads: textOnly },
  // `@FILE` holds options, and errors print those that are unknown.
  strings: { reads: { valued: 'net', accepts: (_, args) => !args.some((arg) => arg.startsWith('@')) } },
  file: {
    reads: {
      valued: 'eFP',
      accepts: without('CfpzZ', '--compile', '--files-from', '--preserve-date', '--uncompress'),
      globs: true,
    },
  },
  diff: { reads: { valued: 'UCIxWF', accepts: without('l', '--paginate') }, followsLinks: 'always' },
  diff3: { wordsAreData: true },
  yq: {
    inPlace: /^(-[A-Za-z]*i|--in-?place)/,
    runs: /^--(security-)?enable-system/,
    obeys: (word) => word.includes('system('),
    wordsAreData: true,
  },
  jq,
  'awk gawk': awk,
  mawk,
  nawk,
  sed,
  gsed,
  sort: {
    reads: {
      valued: 'tkSo',
      accepts: without('oT', '--output', '--compress-program', '--temporary-directory', '--files0-from'),
    },
    outputs: /^(-[A-Za-z]*?o|--o[a-z]*)/,
    mayWrite: 'any word',
    readsListed: hasOne(/^--f/),
    runs: /^--c[a-z-]*/,
    doesMore: hasOutput,
    wordsAreData: true,
  },
  shuf: {
    reads: { valued: 'n', accepts: without('o', '--output', '--random-source') },
    outputs: /^(-[A-Za-z]*?o|--o[a-z]*)/,
  },
  uniq: {
    reads: {
      valued: 'fsw',
      valuedLong: /^--(skip-fields|skip-chars|check-chars)$/,
      accepts: ({ operands }) => operands.length <= 1,
    },
    valued: /^-[^-fsw]*[fsw]$/,
    writes: (_, operands) => behindFirst(operands),
    mayWrite: 'any word',
  },
  xxd: {
    reads: { accepts: isDump },
    valued: /^-(c|cols|g|l|len|n|o|s|seek)$/,
    writes: (_, operands) => behindFirst(operands),
    mayWrite: 'any word',
  },
  split: {
    valued: /^-[^-abClnt]*[abClnt]$/,
    writes: (_, operands) => firstOf(behindFirst(operands), 'x', 'aa'),
    mayWrite: 'unknown words',
    runs: /^--f[a-z]*/,
  },
  // An expression or a text, and its replacement, precede the files.
  'rename prename': {
    writes: (args, [, ...files]) => (hasWord(args, /^(-n|--no-?act|--dry-run)$/) ? [] : files),
  },
  mmv: { writes: (_, patterns) => patterns },
  sd: { writes: (args, [, , ...files]) => (hasWord(args, /^(-p|--preview)$/) ? [] : files) },
  csplit: { writes: (args) => firstOf(fieldsAfter(args, /^(-[A-Za-z]*?f|--p[a-z]*)/), 'xx', '00') },
}

/** The first files whose names begin with these words. Which others there are depends on the input. */
function firstOf(prefixes: readonly Field[], usual: string, ending: string): readonly Field[] {
  const all = prefixes.length === 0 ? [knownField(usual)] : prefixes
  return all.map((prefix) => ({ ...prefix, text: `${prefix.text}${ending}` }))
}

/** Whether `xxd` writes no file: its options stand alone, and a second operand would be the output file. */
function isDump(_: Arguments, args: readonly string[]): boolean {
  const operands: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (/^-([abCdeEipu]|ps)$/.test(arg)) continue
    if (!/^-[cglos]/.test(arg)) operands.push(arg)
    else if (!count.test(arg.slice(2) || (rest.shift() ?? ''))) return false
  }
  const [file = '', ...more] = operands
  if (more.length > 0) return false
  return file === '-' ? args[0] !== file : !file.startsWith('-')
}

/** A number of bytes or columns for `xxd`. */
const count = /^[+-]?(0x)?[\da-f]+$/
