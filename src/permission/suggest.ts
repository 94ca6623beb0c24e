import { dirname, relative } from 'node:path'
import type { JudgedCall } from '../permission.ts'
import { escapeGlob } from '../text/glob.ts'
import { isWithin, resolvePath } from '../text/path.ts'
import { ok, type Result, refused } from '../text/result.ts'
import { hostOf, textOf } from './call-arguments.ts'
import type { CommandReader, PlainCommand } from './command-line.ts'
import { pathOf } from './judge-path.ts'
import { toolKind } from './rules/rule.ts'
import { writeRuleWords } from './rules/rule-words.ts'

export interface SuggestOptions {
  readonly cwd: string
  readonly home: string
  readonly reader: CommandReader
}

type Suggestion = Result<readonly string[]>

/** Users do not read more rules than this before they approve them. */
const mostRules = 5

/**
 * The narrowest rules that allow this call and close variants of it: one for each part of a command that does more than read.
 * They mean the same in every folder.
 */
export async function suggestRules(call: JudgedCall, options: SuggestOptions): Promise<Suggestion> {
  const { tool, arguments: args } = call
  switch (toolKind(tool.name)) {
    case 'command':
      return suggestForCommand(textOf(args, 'command'), options)
    case 'read':
      return ok([`Read(${folderPattern(pathOf(call), options)})`])
    case 'edit':
      return ok([`Edit(${folderPattern(pathOf(call), options)})`])
    case 'fetch': {
      const host = hostOf(args)
      return host === undefined ? refused('it names no host') : ok([`WebFetch(domain:${host})`])
    }
    case 'other':
      return ok([tool.name])
  }
}

async function suggestForCommand(command: string | undefined, options: SuggestOptions): Promise<Suggestion> {
  if (command === undefined) return refused('it holds no command')
  const { plain, obstacle } = await options.reader.read(command, options)
  if (plain === undefined) return refused(obstacle ?? 'pipe cannot tell what it does')
  const risk = plain.map(riskOf).find((one) => one !== undefined)
  if (risk !== undefined) return refused(risk)
  const rules = plain.flatMap(({ inner, words, readOnly, runsMore, files }) => [
    ...(readOnly && files.every(({ path }) => path === undefined || isWithin(path, options.cwd))
      ? []
      : [`Bash(${runsMore ? writeRuleWords(words) : commandPattern(inner)})`]),
    ...files.flatMap(({ path, access }) =>
      access === 'write' && path !== undefined ? [`Edit(${filePattern(path, options)})`] : [],
    ),
  ])
  const unique = [...new Set(rules)]
  return unique.length > mostRules
    ? refused(`it would take ${unique.length} rules, more than ${mostRules}`)
    : ok(unique)
}

/** Why a command must not be allowed for good, even by its exact words. */
function riskOf({ words, inner, readOnly, readsCommands }: PlainCommand): string | undefined {
  const [name = '', ...args] = inner
  if (readOnly) return undefined
  if (readsCommands) return `${name} runs whatever its input says`
  if (/^(sudo|doas|su|pkexec)$/.test(name)) return `${name} may change the whole machine`
  if (name === 'rm' && args.some((arg) => /^-[a-zA-Z]*[rRf]|^--(rec|for)/.test(arg)))
    return 'it deletes whatever is there when it runs'
  const code = words.find((word, i) => isGivenCode(word, words.slice(i + 1)))
  return code === undefined ? undefined : `${code} runs any code that it is given`
}

/** Interpreters, and the options that precede their code. */
const interpreters: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^(python|pypy)[\d.]*$/, /^-[a-zA-Z]*c/],
  [/^(node|nodejs|bun)$/, /^(-[a-z]*[ep]|--(eval|print)(=|$))/],
  [/^deno$/, /^eval$/],
  [/^(perl|ruby|lua)[\d.]*$/, /^-[a-zA-Z]*[eE]/],
  [/^php[\d.]*$/, /^-[rBRE]/],
  [/^(ba|da|z|k|mk|fi)?sh$/, /^-[a-zA-Z]*c$/],
  [/^(pwsh|powershell|osascript)$/, /^-(c|e|Command)$/],
]

function isGivenCode(word: string, args: readonly string[]): boolean {
  const name = word.slice(word.lastIndexOf('/') + 1)
  if (name === 'eval') return true
  return interpreters.some(([known, option]) => known.test(name) && args.some((arg) => option.test(arg)))
}

/**
 * Commands that are safe to allow with any further words: no option of theirs runs a program, or the judge never allows such an
 * option by the first words alone.
 */
const prefixes =
  /^(git (add|commit|fetch|merge|mv|pull)|(npm|pnpm|yarn) (test|run \w[\w:.-]*)|cargo (build|check|clippy|test)|go (test|vet))$/

function commandPattern(words: readonly string[]): string {
  const prefix = [words.slice(0, 2), words.slice(0, 3)].find(
    (some) => some.every((word) => !word.includes(' ')) && prefixes.test(some.join(' ')),
  )
  return prefix === undefined ? writeRuleWords(words) : `${writeRuleWords(prefix)}:*`
}

/**
 * The folder of a file with everything in it; only the file itself if it lies directly in the project folder or outside of it.
 */
function folderPattern(path: string, options: SuggestOptions): string {
  const file = resolvePath(path, options)
  const folder = dirname(file)
  const isOfProject = folder !== options.cwd && isWithin(folder, options.cwd)
  return isOfProject ? `${filePattern(folder, options)}/**` : filePattern(file, options)
}

/** The rule goes into the user's own settings, where a path from the root begins with `//`. */
function filePattern(path: string, { home }: SuggestOptions): string {
  if (isWithin(path, home) && path !== home) return `~/${escapeGlob(relative(home, path))}`
  return `/${escapeGlob(path)}`
}
