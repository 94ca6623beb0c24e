import { type Field, knownField, unknownField } from '../../bash/fields.ts'
import type { Family, Program } from '../program.ts'
import { type Arguments, cdOption } from '../program-arguments.ts'
import { namesOnly, none, textOnly } from '../readers.ts'
import { hasWord, joined, textOf, valuesAfter } from '../word-fields.ts'
import { wrapper } from '../wrapping.ts'
import { bracket, doubleBracket, test } from './test.ts'

const declaration: Program = {
  opensNone: true,
  wordsAreData: true,
  declares: true,
  evaluates: true,
  maySet: true,
}

/** Sets variables from its input or its words. */
const setter: Program = { wordsAreData: true, sets: true, evaluates: true, maySet: true }

/** Commands of the shell itself. */
export const builtins: Family = {
  'pwd true false type :': { reads: textOnly, opensNone: true },
  echo: { reads: namesOnly, opensNone: true },
  printf: { ...setter, reads: { files: none, accepts: isPrinted }, opensNone: true },
  cd: {
    reads: { files: ({ operands }) => (operands.length === 0 ? ['~'] : operands) },
    opensNone: true,
    enters,
  },
  pushd: { opensNone: true, wordsAreData: true, enters },
  'popd kill': { opensNone: true, wordsAreData: true },
  'export declare local readonly': declaration,
  typeset: { wordsAreData: true, declares: true, evaluates: true, maySet: true },
  'unset read': { ...setter, opensNone: true },
  let: setter,
  wait: { wordsAreData: true, sets: true, evaluates: true },
  getopts: { wordsAreData: true, sets: true, maySet: true },
  'return exit break continue shift unalias dirs fg bg disown umask ulimit shopt': {
    wordsAreData: true,
  },
  // With `-x` it runs a command.
  jobs: wrapper(),
  history: { wordsAreData: true, mayRun: (args) => ({ scripts: remembered(args) }) },
  // It runs a line of the history again, or what an editor leaves of it.
  fc: { mayRun: (args) => ({ scripts: hasWord(args, /^-\w*l/) ? [] : [undefined] }) },
  'for case in': { opensNone: true },
  test,
  '[': bracket,
  '[[': doubleBracket,
  set: {
    reads: {
      files: none,
      accepts: (_, args) => /^([-+][eux]+|[-+][eux]*o pipefail)$/.test(args.join(' ')),
    },
    opensNone: true,
  },
  eval: {
    wordsAreData: true,
    mayRun: (args) => ({ scripts: [joined(withoutDashes(args))] }),
    maySet: true,
    runsCode: () => true,
  },
  'source .': {
    wordsAreData: true,
    renames: true,
    readsScript: true,
    mayRun: (args) => ({ commands: [withoutDashes(args)] }),
    maySet: true,
  },
  trap: {
    wordsAreData: true,
    mayRun: (args) => ({ scripts: withoutDashes(args).slice(0, 1).map(textOf) }),
  },
  alias: {
    opensNone: true,
    wordsAreData: true,
    renames: true,
    declares: true,
    mayRun: (args) => ({
      scripts: args.map(({ text, known }) => (known ? text.replace(/^[^=]*=?/, '') : undefined)),
    }),
  },
  hash: { wordsAreData: true, renames: true, mayRun: callbacks },
  // They expand the words of `-W` although they are quoted.
  'complete compgen': { wordsAreData: true, evaluates: true, mayRun: callbacks },
  'mapfile readarray': { ...setter, mayRun: callbacks },
  enable: { renames: true },
}

function enters(args: readonly Field[]): readonly Field[] {
  const folder = args.find(({ text }) => !cdOption.test(text)) ?? knownField('~')
  return [folder.text === '-' ? unknownField : folder]
}

/** Whether `printf` sets no variable: neither `-v` nor `%n` is given. */
function isPrinted(_: Arguments, [first = '', ...args]: readonly string[]): boolean {
  const format = first === '--' ? (args[0] ?? '') : first
  return (first === '--' || !first.startsWith('-')) && !/%[^%a-zA-Z]*[lhjztL]*n/.test(format)
}

/** The line that `history -s` keeps for `fc` to run. */
function remembered(args: readonly Field[]): readonly (string | undefined)[] {
  const at = args.findIndex(({ text }) => /^-\w*s/.test(text))
  return at === -1 ? [] : [joined(args.slice(at + 1))]
}

function withoutDashes(args: readonly Field[]): readonly Field[] {
  return args[0]?.text === '--' ? args.slice(1) : args
}

function callbacks(args: readonly Field[]) {
  return { scripts: valuesAfter(args, /^-[pC]/) }
}
