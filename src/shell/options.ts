import type { Field } from './fields.ts'

/** A command's words behind its name, told apart. */
export interface Arguments {
  /** `-x` and `--long`, before a `--`. Long ones without their value. */
  readonly options: readonly string[]
  readonly operands: readonly string[]
}

/** `valued`: letters of the short options whose value is the next word where it is not in the same one. */
export function readArguments(args: readonly string[], valued = ''): Arguments {
  const options: string[] = []
  const operands: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') return { options, operands: [...operands, ...args.slice(i + 1)] }
    if (!/^-./.test(arg)) operands.push(arg)
    else {
      options.push(arg.startsWith('--') ? (arg.split('=', 1)[0] ?? arg) : arg)
      // What follows the first of them in the same word is its value.
      const first = [...arg.slice(1)].findIndex((letter) => valued.includes(letter))
      if (!arg.startsWith('--') && first === arg.length - 2) i++
    }
  }
  return { options, operands }
}

/**
 * Whether one of these options is given: a letter anywhere in a cluster, a long one also shortened, as programs accept it. None
 * takes a longer word for a shorter one.
 */
export function hasOption({ options }: Arguments, letters: string, long: readonly string[]): boolean {
  return options.some((option) =>
    option.startsWith('--')
      ? long.some((one) => one.startsWith(option))
      : [...option.slice(1)].some((letter) => letters.includes(letter)),
  )
}

/** Where a search looks: behind its pattern, unless an option gives that, or has it look for none. */
export function afterPattern(given: Arguments): readonly string[] {
  return hasOption(given, 'ef', ['--regexp', '--file', '--files']) ? given.operands : given.operands.slice(1)
}

/** What ends the folders that `find` is given: its first test. */
export const findTest = /^(-(?![HLPOD])|[(!])/

/** What `cd` takes before its folder. */
export const cdOption = /^-[LPe@]+$|^--$/

/** What follows each flag, be it the next word or the rest of the same one. */
export function valuesAfter(args: readonly Field[], flag: RegExp): (string | undefined)[] {
  return args.flatMap((field, i) => {
    const found = flag.exec(field.text)?.[0]
    if (found === undefined) return []
    const rest = field.text.slice(found.length).replace(/^=/, '')
    const next = args[i + 1]
    return rest === '' ? (next === undefined ? [] : [textOf(next)]) : [textOf({ ...field, text: rest })]
  })
}

/** Words of which nothing is unknown. */
export function fieldsOf(words: readonly string[]): readonly Field[] {
  return words.map((text) => ({ text, known: true, glob: false }))
}

/** A word, where all of it is known. */
export function textOf({ text, known }: Field): string | undefined {
  return known ? text : undefined
}

/** Words as the text of one command, where all of it is known. */
export function joined(args: readonly Field[]): string | undefined {
  return args.every(({ known }) => known) ? args.map(({ text }) => text).join(' ') : undefined
}
