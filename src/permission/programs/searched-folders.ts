import { readArguments } from './arguments.ts'

/** Long options of a search that take no value. After any other, the next word may be its value instead of a folder. */
const bare =
  /^--(no-[\w-]+|recursive|dereference-recursive|line-number|ignore-case|smart-case|case-sensitive|fixed-strings|extended-regexp|perl-regexp|basic-regexp|word-regexp|line-regexp|invert-match|only-matching|with-filename|quiet|silent|null|null-data|text|count|count-matches|files-with-matches|files-without-match|hidden|unrestricted|heading|column|multiline|pcre2|json|vimgrep|pretty|follow|stats|trim|byte-offset|line-buffered|binary)$/

/**
 * The folders that a search reads: the operands after the pattern, or all if an option holds the pattern. Adds `.` if there may
 * be none.
 */
export function searched(args: readonly string[], valued: string): readonly string[] {
  const { options, operands } = readArguments(args, valued)
  const givesPattern = options.some((option) => {
    if (option.startsWith('--')) return /^--(regexp|file)$/.test(option)
    return /[ef]/.test([...option.slice(1)].find((letter) => valued.includes(letter)) ?? '')
  })
  const folders = givesPattern ? operands : operands.slice(1)
  return folders.length === 0 || !areOptionsKnown(args) ? [...folders, '.'] : folders
}

/** Whether no word can be the value of a long option before it. */
export function areOptionsKnown(args: readonly string[]): boolean {
  return args.every((arg) => !arg.startsWith('--') || arg.includes('=') || arg === '--' || bare.test(arg))
}
