import { globFolder } from '../../globs/compile-glob.ts'
import type { Field } from '../bash/fields.ts'
import { copied, copiesOf, valuesIn } from './copying.ts'
import type { PossibleWrites, Program } from './program.ts'
import { knownOperands, likelyOutput } from './program-options.ts'
import { programIn } from './program-table.ts'
import { fieldsAfter, hasWord, textsOf } from './word-fields.ts'

/** The words that a command writes to, creates or removes. Unknown ones are included. */
interface Targets {
  readonly certain: readonly Field[]
  /** Further words that may be, if an unlisted option leaves open which words are operands. */
  readonly possible: readonly Field[]
}

export function targetsOf(fields: readonly Field[]): Targets {
  const program = programIn(fields)
  const args = fields.slice(1)
  if (program === undefined || saysNothing(program))
    return { certain: fieldsAfter(args, likelyOutput), possible: [] }
  const { options, valued, copies } = program
  const operands = options === undefined ? undefined : knownOperands(options, args)
  const certain = targetsAmong(program, args, operands ?? operandsOf(args, valued))
  if (options === undefined || operands !== undefined) return { certain, possible: [] }
  const all = valuesIn(args)
  const folders = copies === undefined ? [] : all.slice(-mostFolders)
  return { certain, possible: [...all, ...copiesOf(copies ?? {}, all, folders)] }
}

/** The folders that a command fills with files which its words do not name. */
export function filledBy(fields: readonly Field[]): readonly Field[] {
  return foldersBy('fills', fields)
}

/** The folders that a command reads with everything below them, such as to send them. */
export function gatheredBy(fields: readonly Field[]): readonly Field[] {
  return foldersBy('gathers', fields)
}

function foldersBy(how: 'fills' | 'gathers', fields: readonly Field[]): readonly Field[] {
  const { [how]: folders, options, valued } = programIn(fields) ?? {}
  if (folders === undefined) return []
  const args = fields.slice(1)
  const operands = options === undefined ? undefined : knownOperands(options, args)
  return folders(args, operands ?? operandsOf(args, valued)).map(aboveWildcard)
}

/** The folder in which the pattern of a program begins: `src` for `"src/*.ts"`. The shell expands the others. */
function aboveWildcard(field: Field): Field {
  const folder = globFolder(`/${field.text}`).slice(1)
  return field.glob || field.text === folder ? field : { ...field, text: folder || '.' }
}

/** Whether a row tells nothing about what its program writes. */
function saysNothing(program: Program): boolean {
  const { reads, opensNone, searches, options, outputs, writes, inPlace, copies } = program
  return [reads, opensNone, searches, options, outputs, writes, inPlace, copies].every((one) => !one)
}

/** Last words that may be the target folder: those after it may be values of options. */
const mostFolders = 3

/** Returns the files that a command may write besides its targets. */
export function mayWrite(fields: readonly Field[]): PossibleWrites | undefined {
  const possible = programIn(fields)?.mayWrite
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

/** The words that are not options. Unknown words count as operands. */
function operandsOf(args: readonly Field[], takesNext = /^--(exclude|include)$/): readonly Field[] {
  return args.filter(({ text }, i) => !text.startsWith('-') && !takesNext.test(args[i - 1]?.text ?? ''))
}
