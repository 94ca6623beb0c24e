import { anyWord } from '../code.ts'
import type { Language, Program } from '../program.ts'
import type { Arguments } from '../program-arguments.ts'
import { afterFirst } from '../readers.ts'
import { filesNamedBy } from '../word-fields.ts'

/** Options that run a program from a file, or load a library. */
const otherCode = /^(-[Efil]|--(exe|fi|inc|load)[a-z-]*)/

const language: Language = { ...anyWord, isFilter: true }

export const mawk: Program = {
  reads: { valued: 'Fv', files: afterFirst, accepts: isRead, globs: true },
  writes: (args) => args.flatMap((word) => filesNamedBy(writes, word)),
  detours: otherCode,
  mayRead: (args) => args.flatMap((word) => [...word.matchAll(opens)].flatMap(([, file]) => file ?? [])),
  language,
}

export const awk: Program = {
  ...mawk,
  inPlace: /^(-i|--inc[a-z]*=)?inplace$/,
  // The value stands in the option's word.
  outputs: /^(-[dop](?=.)|--(pretty|prof|dump)[a-z-]*(?==))/,
}
export const nawk: Program = { detours: otherCode, language }

/** `getline < "FILE"`. */
const opens = /\bgetline\b[^<"]*<[ \t]*"([^"]+)"/g

/** `print > "FILE"`. The file of any other expression is unknown. */
const writes = /\bprintf?\b(?:"(?:\\.|[^"\\])*"|[^;}\n">])*>+[ \t]*(?:"([^"]*)")?/g

/**
 * Whether a program writes and runs nothing, and reads only the files among its words. A `>` without a print before it compares.
 */
function isRead({ options, operands: [program = ''] }: Arguments): boolean {
  if (!options.every((one) => /^-[Fv]/.test(one))) return false
  const code = codeOf(program)
  const outward = /[|@]|system|getline|ENVIRON|PROCINFO|SYMTAB|ARG[CV]/
  if (outward.test((code ?? program).replaceAll('||', ' '))) return false
  return code === undefined ? !/print.*>|\n/.test(program) : !/print[^;}]*>/.test(code)
}

const string = /"(?:\\[^\n]|[^"\\\n])*"/y
const pattern = /\/(?:\\[^\n]|\[\^?[\w .,:*+?$-]+\]|[^/\\\n"[])*\//y
/** After these, and at the start, `/` begins a pattern. After anything else it may divide. */
const beforePattern = ['{', '}', ';', '(', ',', '!', '~', '&&', '||']

/** A program with `0` for its strings and patterns; `undefined` if it is not certain which these are. */
export function codeOf(program: string): string | undefined {
  let code = ''
  let at = 0
  while (at < program.length) {
    const literal = literalAt(program, at)
    code += literal === undefined ? program[at] : '0'
    at += literal?.length ?? 1
  }
  return /["/#\\]/.test(code) ? undefined : code
}

/** The string or pattern that begins at this character. */
function literalAt(program: string, at: number): string | undefined {
  const kind = program[at] === '"' ? string : isPatternStart(program, at) ? pattern : undefined
  if (kind === undefined) return undefined
  kind.lastIndex = at
  return kind.exec(program)?.[0]
}

function isPatternStart(program: string, at: number): boolean {
  if (program[at] !== '/') return false
  const before = program.slice(0, at).trimEnd()
  return before === '' || beforePattern.some((one) => before.endsWith(one))
}
