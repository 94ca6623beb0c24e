import { afterPattern, commandsAfter, hasOption, readArguments } from '../arguments.ts'
import { findWrites } from '../find.ts'
import type { Family, Program, Reader } from '../program.ts'
import { findFolders, none, without } from '../readers.ts'
import { removedByFind } from '../removing.ts'

const grepReader: Reader = { valued: 'eABCmdD', files: afterPattern }
const grep: Program = {
  search: 'grep',
  recursive: /^-[A-Za-z0-9]*[rRd]|^--(rec|de|di)/,
  followsLinks: /^-[A-Za-z]*[RS]|^--d\w*e?-r/,
}

/** Includes options that take the folders from a file. */
const actsInFind = /^-(exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf|files0-from|f)$/

const fd: Program = {
  reads: { accepts: without('xX', '--exec', '--exec-batch'), contents: none },
  recursive: 'always',
  walksNames: true,
  followsLinks: /^-[A-Za-z]*L|^--fol/,
  inner: (args) => ({ commands: commandsAfter(args, /^(-\w*[xX]|--exec|--exec-batch)$/) }),
  runs: /^(-[HIusiFgalLp01q]*[xX]|--exec(-batch)?(?==|$))/,
  wordsAreData: true,
}

const ack: Program = { search: 'ack', recursive: 'always', followsLinks: /^--fol/ }

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
    search: 'ripgrep',
    recursive: 'always',
    followsLinks: /^-[A-Za-z]*L|^--fol/,
    runs: /^--(pre|hostname-bin)(?==|$)/,
    wordsAreData: true,
  },
  ag: { search: 'ripgrep', recursive: 'always', followsLinks: /^-[A-Za-z]*f|^--fol/ },
  'ack ack-grep': ack,
  find: {
    reads: {
      files: (_, args) => findFolders(args),
      accepts: (_, args) => !args.some((arg) => actsInFind.test(arg)),
      contents: none,
    },
    writes: findWrites,
    removes: removedByFind,
    recursive: 'always',
    walksNames: true,
    followsLinks: /^-(L|follow)$/,
    inner: (args) => ({ commands: commandsAfter(args, /^-(exec|execdir|ok|okdir)$/) }),
    doesMore: (args) => args.some((arg) => actsInFind.test(arg)),
  },
  'fd fdfind': fd,
  tree: {
    reads: { valued: 'LIP', accepts: without('oR', '--output') },
    outputs: /^(-[a-z]*?o|--output)/,
    recursive: 'always',
    walksNames: true,
    followsLinks: /^-[A-Za-z]*l/,
    doesMore: (args) => hasOption(readArguments(args), 'o', ['--output']),
  },
}
