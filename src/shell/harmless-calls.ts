import { type Arguments, readArguments } from './options.ts'

/** Whether `date` shows a time, and sets none. */
export function isDateShown({ options, operands }: Arguments): boolean {
  const shows = /^(-[uR]+|-I\w*|-[dr].*|--(utc|universal|rfc-email|iso-8601|rfc-3339|date|reference))$/
  return options.every((one) => shows.test(one)) && operands.every((one) => one.startsWith('+'))
}

/** Whether `printf` sets no variable: neither to what it prints, nor to how much that is. */
export function isPrinted(_: Arguments, [first = '', ...args]: readonly string[]): boolean {
  const format = first === '--' ? (args[0] ?? '') : first
  return (first === '--' || !first.startsWith('-')) && !/%[^%a-zA-Z]*[lhjztL]*n/.test(format)
}

/** Whether `ps` keeps to processes: an `e` without a dash, and `-E`, show their environment, with the keys in it. */
export function isProcessList(_: Arguments, args: readonly string[]): boolean {
  const { operands } = readArguments(args, 'oOCuUp')
  return (
    !operands.some((one) => /^[A-Za-z]*e/.test(one)) && !args.some((arg) => /^-[A-Za-z]*E|environ/.test(arg))
  )
}

/** Whether `xxd` writes no file: each of its short options is one word, and a second operand is what it writes to. */
export function isDump(_: Arguments, args: readonly string[]): boolean {
  const left = args.join('\0').replace(/(^|\0)-([abCdeEipu]|ps|[cglos]\0?[+-]?(0x)?[\da-f]+)(?=\0|$)/g, '')
  return /^\0?[^-\0][^\0]*$|^(\0-)?$/.test(left)
}
