import { anyWord } from '../code.ts'
import type { Language, Program } from '../program.ts'
import { type Arguments, splitArguments } from '../program-arguments.ts'
import { fieldsOf, filesNamedBy, textsOf, valuesAfter } from '../word-fields.ts'
import { openedBySed } from './sed-commands.ts'

const scriptFile = /^(-[nErsuzi]*f|--fi)/
const language: Language = { ...anyWord, commands: commandsIn, isFilter: true }

export const sed: Program = {
  reads: {
    valued: 'e',
    files: ({ options, operands }) =>
      options.some((one) => givesScript.test(one)) ? operands : operands.slice(1),
    accepts: isPrint,
  },
  options:
    'nErsuze:l: quiet silent regexp-extended posix debug sandbox null-data separate unbuffered expression= line-length=',
  inPlace: /^-[A-Za-z]*i|^--in-p/,
  writes: (args) => [
    ...args.flatMap((word) => filesNamedBy(writes, word)),
    ...fieldsOf(scriptsOf(textsOf(args)).flatMap((script) => openedBySed(script).written)),
  ],
  mayWrite: 'unknown words',
  detours: scriptFile,
  doesMore,
  mayRead,
  language,
  wordsAreData: true,
}

export const gsed: Program = { detours: scriptFile, doesMore, mayRead, language, wordsAreData: true }

/** Prints lines by their numbers: `5,10p;$p`. */
const lines = /^(\d+|\$)(,(\d+|\$))?p(; *(\d+|\$)(,(\d+|\$))?p)*$/
const givesScript = /^-n?e/

/** Whether it only prints lines. */
function isPrint({ options, operands }: Arguments, args: readonly string[]): boolean {
  const quiet = /^(-n|--quiet|--silent)$/
  if (!options.some((one) => quiet.test(one) || one.startsWith('-ne'))) return false
  const scripts = valuesAfter(fieldsOf(args), givesScript)
  if (scripts.length === 0) return options.length === 1 && lines.test(operands[0] ?? '')
  // If options end at the first operand, an operand before an option is the script, and the options are files.
  const last = args.slice(args.length - operands.length)
  return (
    options.every((one) => quiet.test(one) || givesScript.test(one)) &&
    scripts.every((one) => lines.test(one ?? '')) &&
    last.every((one, i) => one === operands[i])
  )
}

/** `w FILE`, as a command or after a substitution, up to the end of the line. */
const writes = /(?<![A-Za-z])[gpeIiMm\d]{0,9}[wW](?:[ \t]+|(?=[./~]))([^\s;}][^\n]*)/g

/** A command that it runs, or a replacement with the `e` flag. */
const runs = /(?:^|[;{}\s\d$/])e\s+([^\n]+)|([^\n]*)\/[gpiIm\d]*e[gpiIm\d]*(?=$|[;}\s])/g

function commandsIn(code: string): readonly string[] {
  const certain = fileName.test(code)
    ? []
    : openedBySed(code.replace(/^(-[a-zA-Z]*?e|--e[a-z]*=)/, '')).commands
  const possible = [...code.matchAll(runs)].flatMap(([, command, replacement = '']) =>
    command === undefined ? replacement.split('/') : [command],
  )
  return [...certain.map((command) => command || unknownCommand), ...possible]
}

/** A word such as `example.ts`, which as a script would run `xample.ts`. */
const fileName = /^e[\w./-]+$/
const unknownCommand = '"$@"'

/** Its scripts, as far as its words hold them. */
function scriptsOf(args: readonly string[]): readonly string[] {
  const given = valuesAfter(fieldsOf(args), /^(-[nErsuz]*e|--e[a-z]*)/)
  const scripts = given.length > 0 ? given : splitArguments(args, 'fl').operands.slice(0, 1)
  return scripts.filter((script) => script !== undefined)
}

/** Whether its script runs a command. */
function doesMore(args: readonly string[]): boolean {
  return scriptsOf(args).some((script) => openedBySed(script).commands.length > 0)
}

function mayRead(args: readonly string[]): readonly string[] {
  return scriptsOf(args).flatMap((script) => openedBySed(script).files)
}
