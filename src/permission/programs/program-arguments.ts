/** The words after a command's name, split into options and operands. */
export interface Arguments {
  /** `-x` and `--long`, before a `--`. Long ones without their value. */
  readonly options: readonly string[]
  readonly operands: readonly string[]
  /**
   * Words taken for values of short options that may be operands: after digits, as in `head -5c FILE`, or after an operand, where
   * some systems expect no more options.
   */
  readonly doubtful: readonly string[]
}

/**
 * `valued`: letters of short options whose value may be the next word. `valuedLong`: long options whose value is the next word.
 */
export function splitArguments(args: readonly string[], valued = '', valuedLong?: RegExp): Arguments {
  const options: string[] = []
  const operands: string[] = []
  const doubtful: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') return { options, operands: [...operands, ...args.slice(i + 1)], doubtful }
    if (!/^-./.test(arg)) operands.push(arg)
    else {
      options.push(arg.startsWith('--') ? (arg.split('=', 1)[0] ?? arg) : arg)
      // The rest of the word is the value of the first such letter.
      const first = [...arg.slice(1)].findIndex((letter) => valued.includes(letter))
      if (arg.startsWith('--') ? valuedLong?.test(arg) : first === arg.length - 2) {
        i++
        if (operands.length > 0 || /^-\d/.test(arg)) doubtful.push(...args.slice(i, i + 1))
      }
    }
  }
  return { options, operands, doubtful }
}

/**
 * Whether one of these options is given: a letter anywhere in a cluster, or a long option, perhaps abbreviated. A longer word
 * never counts as a shorter option.
 */
export function hasOption({ options }: Arguments, letters: string, long: readonly string[]): boolean {
  return options.some((option) =>
    option.startsWith('--')
      ? long.some((one) => one.startsWith(option))
      : [...option.slice(1)].some((letter) => letters.includes(letter)),
  )
}

/** Looks ahead for a slash first: without that, each letter would be tried as the end of the options. */
const attachedPath = /^-(?=.*\/|[A-Za-z0-9]+=?\.\.$)([A-Za-z0-9]+)=?(\.\.|\/|[^=].*\/.*)$/s

/** The path within an option's word: `--file=a/b`, or `-f../x`, also after other letters. */
export function pathIn(arg: string, valued = ''): readonly string[] {
  const value = /^--?[\w-]+=(.*\/.*|[^*?[]+)$/.exec(arg)?.[1]
  if (value !== undefined) return [value]
  const [, letters = '', rest] = attachedPath.exec(arg) ?? []
  return rest === undefined || [...letters].some((letter) => valued.includes(letter)) ? [] : [rest]
}

/** Options of `cd`, before its folder. */
export const cdOption = /^-[LPe@]+$|^--$/
