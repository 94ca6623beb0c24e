import { type Field, knownField } from '../bash/fields.ts'
import type { OptionSpec } from './program.ts'
import { hasOption, splitArguments } from './program-arguments.ts'
import { fieldsAfter } from './word-fields.ts'

/** The operands of a command; `undefined` if one of its options is not listed. */
export function knownOperands(options: OptionSpec, args: readonly Field[]): readonly Field[] | undefined {
  const operands: Field[] = []
  let last: Kind = 'flag'
  for (const [i, field] of args.entries()) {
    if (last === 'valued') last = 'flag'
    else if (field.text === '--') {
      const rest = args.slice(i + 1)
      return rest.some(isOption) ? undefined : [...operands, ...rest]
    } else if (isOption(field)) {
      last = kindOf(field.text, options)
      if (last === 'unknown' || (last === 'list' && operands.length === 0)) return undefined
    } else if (last !== 'list') operands.push(field)
  }
  return operands
}

/** The index of the first operand; `undefined` if there is none, or an option before it is not listed. */
export function firstOperand(options: OptionSpec, args: readonly string[]): number | undefined {
  for (let i = 0; i < args.length; i++) {
    const text = args[i] ?? ''
    if (!/^-./.test(text)) return i
    const kind = text === '--' ? 'unknown' : kindOf(text, options)
    if (kind === 'valued') i++
    else if (kind !== 'flag') return undefined
  }
  return undefined
}

function isOption({ text }: Field): boolean {
  return /^-./.test(text)
}

/** Tells what an option takes as its value: nothing, the next word (`valued`), or all words up to the next option (`list`). */
type Kind = 'flag' | 'valued' | 'list' | 'unknown'

function kindOf(text: string, options: OptionSpec): Kind {
  const [letters = '', ...long] = options.split(' ')
  if (text.startsWith('--')) {
    const [name = '', ...value] = text.slice(2).split('=')
    if (long.includes(`${name}=`)) return value.length > 0 ? 'flag' : 'valued'
    return long.includes(name) ? 'flag' : 'unknown'
  }
  for (const [i, letter] of [...text.slice(1)].entries()) {
    const at = ':*'.includes(letter) ? -1 : letters.indexOf(letter)
    if (at === -1) return 'unknown'
    if (letters[at + 1] === ':') return i === text.length - 2 ? 'valued' : 'flag'
    if (letters[at + 1] === '*') return text.length === 2 ? 'list' : 'unknown'
  }
  return 'flag'
}

/** The usual options before an output file, perhaps abbreviated. */
export const outputOption: RegExp = /^(-[a-z]*?o|--ou[a-z-]*|--o(?==|$))/

/** Options that most programs use for an output file or folder. */
export const likelyOutput: RegExp =
  /^(-o(?==|$|[^=]*\/)|--?out[\w-]*(?==|$)|--(dest[\w-]*|[a-z]+_out)(?==|$))/i

/** These folders, or the one that a command runs in if there are none. */
export function orHere(folders: readonly Field[]): readonly Field[] {
  return folders.length === 0 ? [knownField('.')] : folders
}

/** Returns the folder that these options name to work in. */
export const folderAfter =
  (option: RegExp) =>
  (args: readonly Field[]): readonly Field[] =>
    fieldsAfter(args, option)

/** Whether `-o` or `--output` is given. */
export function hasOutput(args: readonly string[]): boolean {
  return hasOption(splitArguments(args), 'o', ['--output'])
}

/** Up to the second word that is certainly neither an option nor its value. */
export function upToSecond(args: readonly string[]): readonly string[] {
  const operands = args.flatMap((arg, i) => (/^-/.test(arg) || /^-[^=]*$/.test(args[i - 1] ?? '') ? [] : [i]))
  return args.slice(0, (operands[1] ?? args.length) + 1)
}

/** The words before `--`. */
export function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

/** The words after `--`. */
export function afterDashes(args: readonly string[]): readonly string[] {
  return args.slice(beforeDashes(args).length + 1)
}

/** Whether no word can be the value of a long option before it. `bare`: the long options that take no value. */
export function areOptionsKnown(args: readonly string[], bare: ReadonlySet<string>): boolean {
  return args.every((arg) => {
    if (!arg.startsWith('--') || arg.includes('=') || arg === '--') return true
    return /^--no-[\w-]+$/.test(arg) || bare.has(arg.slice(2))
  })
}
