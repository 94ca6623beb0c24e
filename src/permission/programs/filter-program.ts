import { type Arguments, fieldsOf, hasOption, valuesAfter } from './arguments.ts'

const sedLines = /^(\d+|\$)(,(\d+|\$))?p$/
const sedScript = /^-n?e/

/** Whether `sed` only prints lines. */
export function isSedPrint({ options, operands }: Arguments, args: readonly string[]): boolean {
  const quiet = /^(-n|--quiet|--silent)$/
  if (!options.some((one) => quiet.test(one) || one.startsWith('-ne'))) return false
  const scripts = valuesAfter(fieldsOf(args), sedScript)
  if (scripts.length === 0) return options.length === 1 && sedLines.test(operands[0] ?? '')
  // On systems where options end at the first operand, an operand before an option is the script and the options are files.
  const last = args.slice(args.length - operands.length)
  return (
    options.every((one) => quiet.test(one) || sedScript.test(one)) &&
    scripts.every((one) => sedLines.test(one ?? '')) &&
    last.every((one, i) => one === operands[i])
  )
}

/** The files of a `sed` that prints lines. The first operand is its script unless an option holds that. */
export function sedFiles({ options, operands }: Arguments): readonly string[] {
  return options.some((one) => sedScript.test(one)) ? operands : operands.slice(1)
}

/**
 * Whether an `awk` program neither writes nor runs anything, and reads only the files among its words. A `>` with no print before
 * it is a comparison.
 */
export function isAwkRead({ options, operands: [program = ''] }: Arguments): boolean {
  if (!options.every((one) => /^-[Fv]/.test(one))) return false
  const code = awkCode(program)
  const outward = /[|@]|system|getline|ENVIRON|PROCINFO|SYMTAB|ARG[CV]/
  if (outward.test((code ?? program).replaceAll('||', ' '))) return false
  return code === undefined ? !/print.*>|\n/.test(program) : !/print[^;}]*>/.test(code)
}

/** A string, or a regular expression in a place where `/` cannot be a division. */
const awkLiterals =
  /"(?:\\[^\n]|[^"\\\n])*"|\/(?<=(?:^|[{};(,!~]|&&|\|\|)\s*\/)(?:\\[^\n]|\[\^?[\w .,:*+?$-]+\]|[^/\\\n"[])*\//g

/** A program without its strings and regular expressions; `undefined` if it is not certain which these are. */
function awkCode(program: string): string | undefined {
  const code = program.replace(awkLiterals, '0')
  return /["/#\\]/.test(code) ? undefined : code
}

/** Whether a `jq` filter reads neither the environment nor further files. */
export function isJqRead(given: Arguments, args: readonly string[]): boolean {
  if (hasOption(given, 'fL', ['--from-file', '--library-path', '--run-tests'])) return false
  return !args.some((arg) => /\bENV\b/.test(arg) || looksAround(arg))
}

const around = /(?<![."])\b(env|import|include|modulemeta)\b/
/** Constructs in which a comma may not separate keys, or which hide where a string ends. */
const intricate = /#|\\\(|(?<!\.)\b(if|def|as|label|reduce|foreach|try)\b/

/** Whether a filter uses such a word other than as a field name or in a string. */
function looksAround(filter: string): boolean {
  if (!around.test(filter)) return false
  if (intricate.test(filter)) return true
  const words = filter.replace(/"(?:\\.|[^"\\])*"/gs, ' 0 ').match(/\.?\w+|[^\s\w]/g) ?? []
  const open: string[] = []
  return words.some((word, i) => {
    if ('([{'.includes(word)) open.push(word)
    else if (')]}'.includes(word)) open.pop()
    if (word === '"') return true
    if (!/^(env|import|include|modulemeta)$/.test(word)) return false
    const isKey = /^[{,]$/.test(words[i - 1] ?? '') && /^[,:}]$/.test(words[i + 1] ?? '')
    return !isKey || open.at(-1) !== '{'
  })
}
