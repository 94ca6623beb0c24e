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
      if (!arg.startsWith('--') && valued.includes(arg.at(-1) ?? '-')) i++
    }
  }
  return { options, operands }
}

/**
 * Whether one of these options is given: a letter anywhere in a cluster, a long one also shortened, as programs accept it.
 */
export function hasOption({ options }: Arguments, letters: string, long: readonly string[]): boolean {
  return options.some((option) =>
    option.startsWith('--')
      ? option.length > 3 && long.some((one) => one.startsWith(option) || option.startsWith(one))
      : [...option.slice(1)].some((letter) => letters.includes(letter)),
  )
}
