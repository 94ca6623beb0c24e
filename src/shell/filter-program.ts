import { type Arguments, fieldsOf, hasOption, valuesAfter } from './options.ts'

const sedLines = /^(\d+|\$)(,(\d+|\$))?p$/
const sedScript = /^-n?e/

/** Whether `sed` is given no more than lines to print. */
export function isSedPrint({ options, operands }: Arguments, args: readonly string[]): boolean {
  const quiet = /^(-n|--quiet|--silent)$/
  if (!options.some((one) => quiet.test(one) || one.startsWith('-ne'))) return false
  const scripts = valuesAfter(fieldsOf(args), sedScript)
  if (scripts.length === 0) return options.length === 1 && sedLines.test(operands[0] ?? '')
  // Where options end at the first operand, one before them is the script, and they are files.
  const last = args.slice(args.length - operands.length)
  return (
    options.every((one) => quiet.test(one) || sedScript.test(one)) &&
    scripts.every((one) => sedLines.test(one ?? '')) &&
    last.every((one, i) => one === operands[i])
  )
}

/** The files of a `sed` that is given lines to print: its script stands first, unless an option gives it. */
export function sedFiles({ options, operands }: Arguments): readonly string[] {
  return options.some((one) => sedScript.test(one)) ? operands : operands.slice(1)
}

/**
 * Whether `awk` is given a program that neither writes nor runs, and takes its files from its words alone. A `>` is a comparison where
 * nothing before it prints.
 */
export function isAwkRead({ options, operands: [program = ''] }: Arguments): boolean {
  if (!options.every((one) => /^-[Fv]/.test(one))) return false
  const code = awkCode(program)
  const outward = /[|@]|system|getline|ENVIRON|PROCINFO|SYMTAB|ARG[CV]/
  if (outward.test((code ?? program).replaceAll('||', ' '))) return false
  return code === undefined ? !/print.*>|\n/.test(program) : !/print[^;}]*>/.test(code)
}

/** A text, or a regular expression where it can be nothing else: neither a division nor inside of another. */
const awkLiterals =
  /"(?:\\[^\n]|[^"\\\n])*"|\/(?<=(?:^|[{};(,!~]|&&|\|\|)\s*\/)(?:\\[^\n]|\[\^?[\w .,:*+?$-]+\]|[^/\\\n"[])*\//g

/** A program without its texts and regular expressions; `undefined` where it is not certain which they are. */
function awkCode(program: string): string | undefined {
  const code = program.replace(awkLiterals, '0')
  return /["/#\\]/.test(code) ? undefined : code
}

/** Whether `jq` is given a filter that reads neither the environment nor files that it names itself: either is a word of it. */
export function isJqRead(given: Arguments, args: readonly string[]): boolean {
  if (hasOption(given, 'fL', ['--from-file', '--library-path', '--run-tests'])) return false
  return !args.some((arg) => /\bENV\b/.test(arg) || looksAround(arg))
}

const around = /(?<![."])\b(env|import|include|modulemeta)\b/
/** What may have a comma in an object be none between its keys, or hide where a text ends. */
const intricate = /#|\\\(|(?<!\.)\b(if|def|as|label|reduce|foreach|try)\b/

/** Whether such a word stands in a filter otherwise than as the name of a field or as text. */
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
