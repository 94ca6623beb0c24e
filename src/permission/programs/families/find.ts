import { type Field, knownField, unknownField } from '../../bash/fields.ts'
import { saysIf } from '../dangers.ts'
import type { Program, ReadsOnly } from '../program.ts'
import { fieldsOf, hasWord, textsOf } from '../word-fields.ts'

/** Includes options that take the folders from a file. */
const acts = /^-(exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf|files0-from|f)$/

/** Start folders of a `find` that runs commands below them. If there are more, all count as unknown. */
const mostStarts = 8

export const find: Program = {
  danger: saysIf(/^-delete$/, 'deletes the files that it finds'),
  reads: {
    files: (_, args, readsOnly) => {
      const starts = executed(args)?.length === 0 ? startsAmong(fieldsOf(args)) : startsOf(fieldsOf(args))
      return [...textsOf(starts), ...(readByFound(args, readsOnly) ?? [])]
    },
    accepts: (_, args, readsOnly) => readByFound(args, readsOnly) !== undefined,
    // Commands may print a file that a test names.
    contents: (args) => (args.includes('-exec') ? args : []),
    opensFound: (args) => args.includes('-exec') && !findsFiles(args),
  },
  programs: (args) => (executed(args) ?? []).flatMap(([name = '']) => name),
  writes: (args) => {
    const files = args.filter((_, i) => /^-f(printf|print0?|ls)$/.test(args[i - 1]?.text ?? ''))
    return hasWord(args, /^-delete$/) ? [...files, ...startsOf(args)] : files
  },
  removes: (args) => (removesLoosely(textsOf(args)) ? startsOf(args) : []),
  recursive: 'always',
  walksNames: true,
  followsLinks: /^-(L|follow)$/,
  enters: (args) => {
    const starts = runsBelow(args)
    return starts.length > mostStarts ? [unknownField] : starts
  },
  runsBelow,
  mayRun: (args) => ({ commands: commandsAfter(args, /^-(exec|execdir|ok|okdir)$/) }),
  doesMore: (args) => args.some((arg) => acts.test(arg)),
}

/** The commands after `-exec`; `undefined` if `find` acts in any other way, or the end of one is uncertain. */
function executed(args: readonly string[]): readonly (readonly string[])[] | undefined {
  const commands: (readonly string[])[] = []
  for (let i = 0; i < args.length; i++) {
    if (!acts.test(args[i] ?? '')) continue
    const end = args.findIndex((arg, at) => at > i && (arg === ';' || (arg === '+' && args[at - 1] === '{}')))
    const command = args.slice(i + 1, end)
    if (args[i] !== '-exec' || end === -1 || command.some((arg) => acts.test(arg))) return undefined
    commands.push(command)
    i = end
  }
  return commands
}

/**
 * The files that its commands read besides those it finds; `undefined` if one may do more than read, or uses a found name for
 * something other than a file, such as a pattern or a program.
 */
function readByFound(args: readonly string[], readsOnly: ReadsOnly): readonly string[] | undefined {
  const all = executed(args)?.map((command) => {
    const isPart = command.some((arg) => arg !== '{}' && arg.includes('{}'))
    const files = isPart ? undefined : readsOnly(command, true)
    return files?.includes('{}') ? files.filter((file) => file !== '{}') : undefined
  })
  return all?.every((files) => files !== undefined) ? all.flat() : undefined
}

/** Whether it certainly finds only ordinary files, no links. */
function findsFiles(args: readonly string[]): boolean {
  const tests = args.slice(0, args.indexOf('-exec'))
  const isLoose = tests.some((arg) => /^(!|-not|-o|-or|,|\(|\))$/.test(arg))
  return !isLoose && tests.some((arg, i) => arg === '-type' && tests[i + 1] === 'f')
}

/** The folders that `find` starts in. Default: the folder it runs in. */
function startsOf(args: readonly Field[]): readonly Field[] {
  const starts = startsAmong(args)
  return starts.length > 0 ? starts : [knownField('.')]
}

/** Options that stand before the folders, on any system, and the end of these options. */
const beforeStarts = /^-([HLPOD].*|[HLPEXdsx]+|-)$/

/** The operands before its first test. */
function startsAmong(args: readonly Field[]): readonly Field[] {
  const end = args.findIndex(({ text }) => /^(-|[(!])/.test(text) && !beforeStarts.test(text))
  return (end === -1 ? args : args.slice(0, end)).filter(({ text }) => !text.startsWith('-'))
}

function runsBelow(args: readonly Field[]): readonly Field[] {
  return hasWord(args, /^-(exec|ok)dir$/) ? startsOf(args) : []
}

/** Whether it deletes, and no test limits what. */
function removesLoosely(args: readonly string[]): boolean {
  const removes =
    args.includes('-delete') ||
    (args.some((arg) => /^-(exec|ok)/.test(arg)) && args.some((arg) => /(^|\/)(rm|shred|unlink)$/.test(arg)))
  const isLoose = args.some((arg) => /^(!|-not|-o|-or|,)$/.test(arg))
  const isLimited = args.some((arg, i) => narrows.test(arg) && !/^[*.?/]*$/.test(args[i + 1] ?? ''))
  return removes && (isLoose || !isLimited)
}

const narrows =
  /^-(i?name|i?path|i?wholename|i?regex|size|[acm]?(time|min|newer)|newer\w*|empty|user|perm|links|inum|samefile)$/

/** The commands after each matching option, up to `;` or `+`. A file name replaces the braces, so such a word is unknown. */
export function commandsAfter(args: readonly Field[], flag: RegExp): (readonly Field[])[] {
  return args.flatMap(({ text }, i) => {
    if (!flag.test(text)) return []
    const rest = args.slice(i + 1)
    const end = rest.findIndex((one) => one.text === ';' || one.text === '+')
    const command = end === -1 ? rest : rest.slice(0, end)
    return [command.map((field) => (field.text.includes('{}') ? { ...field, known: false } : field))]
  })
}
