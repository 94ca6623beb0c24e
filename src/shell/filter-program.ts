import type { Arguments } from './options.ts'

const sedLines = /^(\d+|\$)(,(\d+|\$))?p$/

/** Whether `sed` is given no more than lines to print. */
export function isSedPrint({ options, operands: [script = ''] }: Arguments): boolean {
  return options.length === 1 && /^(-n|--quiet|--silent)$/.test(options[0] ?? '') && sedLines.test(script)
}

/**
 * Whether `awk` is given a program that neither writes nor runs, and takes its files from its words alone. A `>` is a comparison where
 * nothing before it prints.
 */
export function isAwkRead({ options, operands: [program = ''] }: Arguments): boolean {
  if (!options.every((one) => /^-[Fv]/.test(one))) return false
  return !/print.*>|[|@\n]|system|getline|ENVIRON|PROCINFO|SYMTAB|ARG[CV]/.test(program.replaceAll('||', ''))
}

/** Whether `jq` is given a filter that reads neither the environment nor files that it names itself: either is a word of it. */
export function isJqRead(_: Arguments, args: readonly string[]): boolean {
  return !args.some((arg) => /(?<![.\w"])env\b|\$ENV\b|\b(import|include|modulemeta)\b/.test(arg))
}
