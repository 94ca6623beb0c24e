import type { Field } from '../bash/fields.ts'
import { fieldsAfter } from './arguments.ts'
import { commandName } from './command-name.ts'
import { copied, copiesOf, hasWord, valuesIn } from './copying.ts'
import { knownOperands } from './options.ts'
import type { Program } from './program.ts'
import { programOf } from './table.ts'

/**
 * Returns the words that a command writes to, creates or removes, including unknown ones. With an option that is not listed, any of its words may
 * be a target.
 */
export function targetsOf(fields: readonly Field[]): readonly Field[] {
  const program = programOf(commandName(fields))
  if (program === undefined) return []
  const args = fields.slice(1)
  const operands = program.options === undefined ? undefined : knownOperands(program.options, args)
  if (operands !== undefined) return targetsAmong(program, args, operands)
  const certain = targetsAmong(program, args, operandsOf(args, program.valued))
  if (program.options === undefined) return certain
  const all = valuesIn(args)
  const folders = program.copies === undefined ? [] : all.slice(-mostFolders)
  return [...certain, ...all, ...copiesOf(program.copies ?? {}, all, folders)]
}

/** Trailing words that may be the target folder, because the words after it may be option values. */
const mostFolders = 3

/** Whether a command may write to any file that it names. */
export function mayWriteAny(fields: readonly Field[]): boolean {
  const words = fields.slice(1).map(({ text }) => text)
  const name = commandName(fields)
  if (name === 'git')
    return !leavesFiles.test(words.join(' ')) || words.some((word) => /^(-o|--ou)/.test(word))
  return programOf(name)?.writesAny === true
}

/** Git calls that change none of the files they name. */
const leavesFiles =
  /^((--no-pager|-P) )*(add|commit|push|fetch|log|show|diff|status|blame|grep|ls-files|rev-parse|branch|tag|rm --cached)( |$)/

function targetsAmong(
  { inPlace, outputs, writes, copies }: Program,
  args: readonly Field[],
  operands: readonly Field[],
): readonly Field[] {
  if (inPlace !== undefined && hasWord(args, inPlace)) return operands
  const named = outputs === undefined ? [] : fieldsAfter(args, outputs)
  return [
    ...named,
    ...(writes?.(args, operands) ?? (copies === undefined ? [] : copied(copies, args, operands))),
  ]
}

/** The words that are not options. Unknown words stay, because they count as operands. */
function operandsOf(args: readonly Field[], takesNext = /^--(exclude|include)$/): readonly Field[] {
  return args.filter(({ text }, i) => !text.startsWith('-') && !takesNext.test(args[i - 1]?.text ?? ''))
}
