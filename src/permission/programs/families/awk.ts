import { type Arguments, filesNamedBy } from '../arguments.ts'
import { anyWord } from '../code.ts'
import type { Language, Program } from '../program.ts'
import { afterFirst } from '../readers.ts'

const language: Language = { ...anyWord, isFilter: true }

export const mawk: Program = {
  reads: { valued: 'Fv', files: afterFirst, accepts: isRead, globs: true },
  writes: (args) => args.flatMap((word) => filesNamedBy(writes, word)),
  language,
}

export const awk: Program = { ...mawk, inPlace: /^(-i|--include=)?inplace$/ }
export const nawk: Program = { language }

/** `print > "FILE"`. The file is not known for any other expression. */
const writes = /\bprintf?\b(?:"(?:\\.|[^"\\])*"|[^;}\n">])*>+[ \t]*(?:"([^"]*)")?/g

/**
 * Whether a program neither writes nor runs anything, and reads only the files among its words. A `>` with no print before it is
 * a comparison.
 */
function isRead({ options, operands: [program = ''] }: Arguments): boolean {
  if (!options.every((one) => /^-[Fv]/.test(one))) return false
  const code = codeOf(program)
  const outward = /[|@]|system|getline|ENVIRON|PROCINFO|SYMTAB|ARG[CV]/
  if (outward.test((code ?? program).replaceAll('||', ' '))) return false
  return code === undefined ? !/print.*>|\n/.test(program) : !/print[^;}]*>/.test(code)
}

/** A string, or a regular expression in a place where `/` cannot be a division. */
const literals =
  /"(?:\\[^\n]|[^"\\\n])*"|\/(?<=(?:^|[{};(,!~]|&&|\|\|)\s*\/)(?:\\[^\n]|\[\^?[\w .,:*+?$-]+\]|[^/\\\n"[])*\//g

/** A program without its strings and regular expressions; `undefined` if it is not certain which these are. */
function codeOf(program: string): string | undefined {
  const code = program.replace(literals, '0')
  return /["/#\\]/.test(code) ? undefined : code
}
