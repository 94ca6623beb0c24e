import type { Field } from './fields.ts'

/** A command's words behind its name, told apart. */
export interface Arguments {
  /** `-x` and `--long`, before a `--`. Long ones without their value. */
  readonly options: readonly string[]
  readonly operands: readonly string[]
}

/**
 * `valued`: letters of the short options whose value is the next word where it is not in the same one; `valuedLong`: which long ones
 * are such.
 */
export function readArguments(args: readonly string[], valued = '', valuedLong?: RegExp): Arguments {
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
      if (arg.startsWith('--') ? valuedLong?.test(arg) : first === arg.length - 2) i++
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

/**
 * Where a search looks: behind its pattern, unless an option gives that, or has it look for none. Where one may name a file in the
 * word behind it, that is not taken for the pattern.
 */
export function afterPattern(given: Arguments): readonly string[] {
  const namesFile = given.options.some((one) => /^--(ignore-file|exclude-f)/.test(one))
  const isGiven = namesFile || hasOption(given, 'ef', ['--regexp', '--file', '--files'])
  return isGiven ? given.operands : given.operands.slice(1)
}

/** Looks for a slash first: where there is none, each of the letters would be tried as the end of the options. */
const attachedPath = /^-(?=.*\/|[A-Za-z0-9]+=?\.\.$)([A-Za-z0-9]+)=?(\.\.|\/|[^=].*\/.*)$/s

/** The path that stands in the same word as its option: `--file=a/b`, `-f../x`, behind other letters too. */
export function pathIn(arg: string, valued = ''): readonly string[] {
  const value = /^--?[\w-]+=(.*\/.*|[^*?[]+)$/.exec(arg)?.[1]
  if (value !== undefined) return [value]
  const [, letters = '', rest] = attachedPath.exec(arg) ?? []
  return rest === undefined || [...letters].some((letter) => valued.includes(letter)) ? [] : [rest]
}

/** What ends the folders that `find` is given: its first test. */
export const findTest = /^(-(?![HLPOD])|[(!])/

/** What `cd` takes before its folder. */
export const cdOption = /^-[LPe@]+$|^--$/

/** What follows each flag, be it the next word or the rest of the same one. */
export function valuesAfter(args: readonly Field[], flag: RegExp): (string | undefined)[] {
  return fieldsAfter(args, flag).map(textOf)
}

/** The same, as fields. */
export function fieldsAfter(args: readonly Field[], flag: RegExp): readonly Field[] {
  return args.flatMap((field, i) => {
    const found = flag.exec(field.text)?.[0]
    if (found === undefined) return []
    const rest = field.text.slice(found.length).replace(/^=/, '')
    return rest === '' ? args.slice(i + 1, i + 2) : [{ ...field, text: rest }]
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
