import { hasOption, readArguments } from '../arguments.ts'
import { behindFirst } from '../copying.ts'
import { isAwkRead, isJqRead, isSedPrint, sedFiles } from '../filter-program.ts'
import { isDump } from '../harmless-calls.ts'
import type { Family, Language, Program, Reader } from '../program.ts'
import { afterFirst, textOnly, without } from '../readers.ts'
import { namedInAwk, namedInSed } from '../script-targets.ts'

/** Any word may be code. */
const script: Language = { code: /^(?=.)/, valued: /^-$/ }

const awkReader: Reader = { valued: 'Fv', files: afterFirst, accepts: isAwkRead, globs: true }
const awk: Program = { language: script, writes: (args) => args.flatMap(namedInAwk), reads: awkReader }
const awkInPlace = /^(-i|--include=)?inplace$/

/** Commands that print, filter and compare text. */
export const text: Family = {
  'cat rev comm': { reads: {} },
  head: { reads: { valued: 'nc' } },
  tail: { reads: { valued: 'ncs' } },
  wc: { reads: { accepts: without('', '--files0-from'), globs: true } },
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
  file: { reads: { valued: 'eFP', accepts: without('CfzZ', '--compile', '--files-from', '--uncompress') } },
  diff: { reads: { valued: 'UCIxWF', accepts: without('l', '--paginate') }, followsLinks: 'always' },
  'diff3 yq': { wordsAreData: true },
  jq: { reads: { files: afterFirst, accepts: isJqRead, globs: true }, wordsAreData: true },
  'awk gawk': { ...awk, inPlace: awkInPlace },
  mawk: awk,
  nawk: { language: script },
  sed: {
    reads: { valued: 'e', files: sedFiles, accepts: isSedPrint },
    options:
      'nErsuze:l: quiet silent regexp-extended posix debug sandbox null-data separate unbuffered expression= ' +
      'line-length=',
    inPlace: /^-[A-Za-z]*i|^--in-p/,
    writes: (args) => args.flatMap(namedInSed),
    mayWrite: true,
    language: script,
    wordsAreData: true,
  },
  gsed: { language: script, wordsAreData: true },
  sort: {
    reads: {
      valued: 'tkSo',
      accepts: without('oT', '--output', '--compress-program', '--temporary-directory', '--files0-from'),
    },
    outputs: /^(-[A-Za-z]*?o|--o[a-z]*)/,
    mayWrite: true,
    mayOutput: true,
    runs: /^--c[a-z-]*/,
    doesMore: (args) => hasOption(readArguments(args), 'o', ['--output']),
    wordsAreData: true,
  },
  shuf: { outputs: /^(-[A-Za-z]*?o|--o[a-z]*)/ },
  uniq: {
    reads: {
      valued: 'fsw',
      valuedLong: /^--(skip-fields|skip-chars|check-chars)$/,
      accepts: ({ operands }) => operands.length <= 1,
    },
    valued: /^-[^-fsw]*[fsw]$/,
    writes: (_, operands) => behindFirst(operands),
    mayWrite: true,
    mayOutput: true,
  },
  xxd: {
    reads: { accepts: isDump },
    valued: /^-(c|cols|g|l|len|n|o|s|seek)$/,
    writes: (_, operands) => behindFirst(operands),
    mayWrite: true,
    mayOutput: true,
  },
  split: {
    valued: /^-[^-abClnt]*[abClnt]$/,
    writes: (_, operands) => behindFirst(operands),
    mayWrite: true,
    runs: /^--fi[a-z]*/,
  },
  csplit: { outputs: /^(-[A-Za-z]*?f|--p[a-z]*)/ },
  'pandoc xmllint xsltproc iconv': { outputs: /^(-[a-z]*?o|--output)/ },
}
