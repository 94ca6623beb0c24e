import type { Field } from '../bash/fields.ts'
import { fieldsAfter, hasWord, textsOf } from './arguments.ts'
import { commandName } from './command-name.ts'
import { copied, copiesOf, valuesIn } from './copying.ts'
import { knownOperands } from './options.ts'
import type { PossibleWrites, Program } from './program.ts'
import { programOf } from './table.ts'

/** Words that a command writes to, creates or removes, including unknown ones. */
interface Targets {
  readonly certain: readonly Field[]
  /** More of them, if an option that is not listed leaves open which words are operands. */
  readonly possible: readonly Field[]
}

/** Returns what a command writes to. */
export function targetsOf(fields: readonly Field[]): Targets {
  const program = programOf(commandName(fields))
  const args = fields.slice(1)
  if (program === undefined) return { certain: [], possible: [] }
  const { options, valued, copies } = program
  const operands = options === undefined ? undefined : knownOperands(options, args)
  const certain = targetsAmong(program, args, operands ?? operandsOf(args, valued))
  if (options === undefined || operands !== undefined) return { certain, possible: [] }
  const all = valuesIn(args)
  const folders = copies === undefined ? [] : all.slice(-mostFolders)
  return { certain, possible: [...all, ...copiesOf(copies ?? {}, all, folders)] }
}

/** Trailing words that may be the target folder, because the words after it may be option values. */
const mostFolders = 3

/** Returns what a command may write besides its targets. */
export function mayWrite(fields: readonly Field[]): PossibleWrites | undefined {
  const possible = programOf(commandName(fields))?.mayWrite
  return typeof possible === 'function' ? possible(textsOf(fields.slice(1))) : possible
}

function targetsAmong(
  { inPlace, outputs, writes, copies }: Program,
  args: readonly Field[],
  operands: readonly Field[],
): readonly Field[] {
  if (inPlace !== undefined && hasWord(args, inPlace)) return operands
  const named = outputs === undefined ? [] : fieldsAfter(args, outputs)
  if (writes !== undefined) return [...named, ...writes(args, operands)]
  return copies === undefined ? named : [...named, ...copied(copies, args, operands)]
}

/** The words that are not options. Unknown words stay, because they count as operands. */
function operandsOf(args: readonly Field[], takesNext = /^--(exclude|include)$/): readonly Field[] {
  return args.filter(({ text }, i) => !text.startsWith('-') && !takesNext.test(args[i - 1]?.text ?? ''))
}
