import type { Field } from '../../bash/fields.ts'
import { joined, textOf, valuesAfter } from '../arguments.ts'
import { isFileTest, testedFiles } from '../file-test.ts'
import { isPrinted } from '../harmless-calls.ts'
import type { Family, Reader } from '../program.ts'
import { none, textOnly } from '../readers.ts'

/** Commands of the shell itself. */
export const builtins: Family = {
  'echo pwd true false type': { reads: textOnly, opensNone: true },
  ':': { reads: textOnly, opensNone: true },
  printf: { reads: { files: none, accepts: isPrinted }, opensNone: true, wordsAreData: true },
  cd: {
    reads: { files: ({ operands }) => (operands.length === 0 ? ['~'] : operands) },
    opensNone: true,
  },
  'pushd popd export declare local readonly unset read kill': { opensNone: true, wordsAreData: true },
  'typeset return exit break continue shift unalias let wait dirs jobs fg bg disown umask ulimit shopt': {
    wordsAreData: true,
  },
  'history getopts': { wordsAreData: true },
  'for case in': { opensNone: true },
  test: {
    reads: { files: (_, args) => testedFiles(args), accepts: (_, args) => isFileTest(args) },
    opensNone: true,
  },
  '[': { reads: bracket(']'), opensNone: true },
  // Globs in `[[` are patterns, not files.
  '[[': { reads: { ...bracket(']]'), globs: true }, opensNone: true },
  set: {
    reads: {
      files: none,
      accepts: (_, args) => /^([-+][eux]+|[-+][eux]*o pipefail)$/.test(args.join(' ')),
    },
    opensNone: true,
  },
  eval: { wordsAreData: true, inner: (args) => ({ scripts: [joined(withoutDashes(args))] }) },
  'source .': { wordsAreData: true, renames: true, inner: (args) => ({ commands: [withoutDashes(args)] }) },
  trap: {
    wordsAreData: true,
    inner: (args) => ({ scripts: withoutDashes(args).slice(0, 1).map(textOf) }),
  },
  alias: {
    opensNone: true,
    wordsAreData: true,
    renames: true,
    inner: (args) => ({
      scripts: args.map(({ text, known }) => (known ? text.replace(/^[^=]*=?/, '') : undefined)),
    }),
  },
  hash: { wordsAreData: true, renames: true, inner: callbacks },
  'complete compgen mapfile readarray': { wordsAreData: true, inner: callbacks },
  enable: { renames: true },
}

/** A reader for `[` or `[[`. */
function bracket(close: string): Reader {
  return {
    files: (_, args) => testedFiles(args.slice(0, -1)),
    accepts: (_, args) => args.at(-1) === close && isFileTest(args.slice(0, -1)),
  }
}

function withoutDashes(args: readonly Field[]): readonly Field[] {
  return args[0]?.text === '--' ? args.slice(1) : args
}

function callbacks(args: readonly Field[]) {
  return { scripts: valuesAfter(args, /^-[pC]/) }
}
