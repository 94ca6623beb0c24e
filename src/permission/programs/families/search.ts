import { type Field, unknownField } from '../../bash/fields.ts'
import type { Family, Pattern, Program, Reader } from '../program.ts'
import { type Arguments, hasOption } from '../program-arguments.ts'
import { hasOutput, outputOption } from '../program-options.ts'
import { none, without } from '../readers.ts'
import { ackWalk, grepWalk, ripgrepWalk } from '../search-walks.ts'
import { commandsAfter, find } from './find.ts'

const grepReader: Reader = { valued: 'eABCmdD', files: afterPattern }
const grep: Program = {
  searches: grepWalk,
  recursive: /^-[A-Za-z0-9]*[rRd]|^--(rec|de|di)/,
  followsLinks: /^-[A-Za-z]*[RS]|^--d\w*e?-r/,
}

const fd: Program = {
  reads: { accepts: without('xX', '--exec', '--exec-batch'), contents: none },
  recursive: 'always',
  walksNames: true,
  followsLinks: /^-[A-Za-z]*L|^--fol/,
  mayRun: (args) => ({ commands: commandsOfFd(args) }),
  runs: /^(-[HIusiFgalLp01q]*[xX]|--exec(-batch)?(?==|$))/,
  wordsAreData: true,
}

const ack: Program = {
  searches: ackWalk,
  recursive: 'always',
  followsLinks: /^--fol/,
  runs: /^--(pager|ackrc)/,
}

/** The commands that `fd` runs. Without a placeholder, the name of a file follows their words. */
function commandsOfFd(args: readonly Field[]): readonly (readonly Field[])[] {
  const placeholder = /\{(|\.|\/\.?|\/\/)\}/
  return commandsAfter(args, /^(-\w*[xX]|--exec|--exec-batch)$/).map((command) => {
    const isPlaced = command.some(({ text }) => placeholder.test(text))
    const filled = command.map((field) => (placeholder.test(field.text) ? unknownField : field))
    return isPlaced ? filled : [...command, unknownField]
  })
}

/** Commands that find files, or text in them. */
export const search: Family = {
  grep: { ...grep, reads: grepReader },
  'egrep fgrep': { ...grep, reads: grepReader },
  rgrep: { ...grep, recursive: 'always' },
  rg: {
    reads: {
      valued: 'eABCmgtT',
      files: afterPattern,
      accepts: without('z', '--pre', '--hostname-bin', '--search-zip'),
    },
    searches: ripgrepWalk,
    recursive: 'always',
    followsLinks: /^-[A-Za-z]*L|^--fol/,
    runs: /^--(pre|hostname-bin)(?==|$)/,
    wordsAreData: true,
  },
  ag: {
    searches: ripgrepWalk,
    recursive: 'always',
    followsLinks: /^-[A-Za-z]*f|^--fol/,
    runs: /^--pager/,
  },
  'ack ack-grep': ack,
  find,
  'fd fdfind': fd,
  tree: {
    reads: { valued: 'LIP', accepts: without('oR', '--output') },
    outputs: outputOption,
    recursive: 'always',
    walksNames: true,
    followsLinks: /^-[A-Za-z]*l/,
    doesMore: hasOutput,
  },
}

export const searchByPattern: readonly Pattern[] = [[/grep$/, { searches: grepWalk }]]

/**
 * The operands after the pattern; all of them if an option holds the pattern or none is needed. `--ignore-file` may take the next
 * word, so with it the first operand may be no pattern.
 */
function afterPattern(given: Arguments): readonly string[] {
  const namesFile = given.options.some((one) => /^--(ignore-file|exclude-f)/.test(one))
  const isGiven = namesFile || hasOption(given, 'ef', ['--regexp', '--file', '--files'])
  return isGiven ? given.operands : given.operands.slice(1)
}
