import type { OptionSpec, Reader } from './program.ts'
import { type Arguments, hasOption } from './program-arguments.ts'
import { knownOperands } from './program-options.ts'
import { fieldsOf } from './word-fields.ts'

/** The files of a command whose words name none. */
export const none = (): readonly string[] => []

/** Reads nothing but its words. */
export const textOnly: Reader = { files: none }

/** Prints the names of files and does nothing else with them. */
export const namesOnly: Reader = { files: none, printsNames: true }

export const afterFirst = ({ operands }: Arguments): readonly string[] => operands.slice(1)

/** Accepts calls without these options. */
export const without =
  (letters: string, ...long: readonly string[]) =>
  (given: Arguments): boolean =>
    !hasOption(given, letters, long)

/** Only prints its version, with one of these words. */
export const printsVersion = (words: string): Reader => ({
  files: none,
  accepts: (_, args) => args.length === 1 && words.split(' ').includes(args[0] ?? ''),
  runs: true,
})

/** Only shows something with these options. Its operands are no files. */
export const showsWith = (options: OptionSpec): Reader => ({
  files: none,
  accepts: (_, args) => knownOperands(options, fieldsOf(args)) !== undefined,
})

/**
 * Only shows something with these subcommands, which come first and open no files. `hides`: operands that it must not show.
 * Accepts what `other` accepts, too.
 */
export const shows = (
  subcommands: Readonly<Record<string, OptionSpec>>,
  { hides, other }: { readonly hides?: RegExp; readonly other?: Reader } = {},
): Reader => ({
  files: none,
  accepts: (given, args, readsOnly) => {
    if (other?.accepts?.(given, args, readsOnly)) return true
    const [name = '', ...rest] = args
    const options = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
    const operands = options === undefined ? undefined : knownOperands(options, fieldsOf(rest))
    return operands !== undefined && !operands.some(({ text }) => hides?.test(text))
  },
  runs: true,
})
