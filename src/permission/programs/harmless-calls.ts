import { type Arguments, readArguments } from './arguments.ts'

/** Whether `date` only shows a time. */
export function isDateShown({ options, operands }: Arguments): boolean {
  const shows = /^(-[uR]+|-I\w*|-[dr].*|--(utc|universal|rfc-email|iso-8601|rfc-3339|date|reference))$/
  return options.every((one) => shows.test(one)) && operands.every((one) => one.startsWith('+'))
}

/** Whether `printf` sets no variable, neither by `-v` nor by `%n`. */
export function isPrinted(_: Arguments, [first = '', ...args]: readonly string[]): boolean {
  const format = first === '--' ? (args[0] ?? '') : first
  return (first === '--' || !first.startsWith('-')) && !/%[^%a-zA-Z]*[lhjztL]*n/.test(format)
}

/** Whether `ps` shows no environments, which may hold keys: an `e` without a dash, and `-E`, would. */
export function isProcessList(_: Arguments, args: readonly string[]): boolean {
  const { operands } = readArguments(args, 'oOCuUp')
  return (
    !operands.some((one) => /^[A-Za-z]*e/.test(one)) && !args.some((arg) => /^-[A-Za-z]*E|environ/.test(arg))
  )
}

/** Whether `xxd` writes no file: its short options stand alone, and a second operand would be the output file. */
export function isDump(_: Arguments, args: readonly string[]): boolean {
  const left = args.join('\0').replace(/(^|\0)-([abCdeEipu]|ps|[cglos]\0?[+-]?(0x)?[\da-f]+)(?=\0|$)/g, '')
  return /^\0?[^-\0][^\0]*$|^(\0-)?$/.test(left)
}
