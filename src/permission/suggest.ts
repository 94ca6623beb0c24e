import { dirname, relative } from 'node:path'
import { escapeGlob } from '../globs/compile-glob.ts'
import { isWithin, resolvePath } from '../machine/path.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import type { JudgedCall } from '../permission.ts'
import type { CommandReader, SimpleCommand } from './command-line.ts'
import { namedPath } from './judge-path.ts'
import { hostOf, textArgument } from './judged-arguments.ts'
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
 * Suggests the narrowest rules that allow this call and close variants: one for each part of a command that does more than read.
 * They mean the same in every folder.
 */
export async function suggestRules(call: JudgedCall, options: SuggestOptions): Promise<Suggestion> {
  const { tool, arguments: args } = call
  switch (toolKind(tool.name)) {
    case 'command':
      return suggestForCommand(textArgument(args, 'command'), options)
    case 'read':
      return ok([`Read(${folderPattern(namedPath(call), options)})`])
    case 'edit':
      return ok([`Edit(${folderPattern(namedPath(call), options)})`])
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
  const rules = plain.flatMap(({ inner, words, prefix, readOnly, runsMore, files }) => [
    ...(readOnly && files.every(({ path }) => path === undefined || isWithin(path, options.cwd))
      ? []
      : [`Bash(${runsMore ? writeRuleWords(words) : commandPattern(inner, prefix)})`]),
    ...files.flatMap(({ path, access }) =>
      access === 'write' && path !== undefined ? [`Edit(${filePattern(path, options)})`] : [],
    ),
  ])
  const unique = [...new Set(rules)]
  return unique.length > mostRules
    ? refused(`it would take ${unique.length} rules, more than ${mostRules}`)
    : ok(unique)
}

/** The reason not to allow a command for good, even by its exact words. */
function riskOf({ inner: [name = ''], readsCommands, risk }: SimpleCommand): string | undefined {
  return readsCommands ? `${name} runs whatever its input says` : risk()
}

function commandPattern(words: readonly string[], prefix: readonly string[] | undefined): string {
  return prefix === undefined ? writeRuleWords(words) : `${writeRuleWords(prefix)}:*`
}

/** The folder of a file with everything in it. Only the file if it lies outside the project or directly in its folder. */
function folderPattern(path: string, options: SuggestOptions): string {
  const file = resolvePath(path, options)
  const folder = dirname(file)
  const isOfProject = folder !== options.cwd && isWithin(folder, options.cwd)
  return isOfProject ? `${filePattern(folder, options)}/**` : filePattern(file, options)
}

/** Writes a path for the user's own settings, where a path from the root begins with `//`. */
function filePattern(path: string, { home }: SuggestOptions): string {
  if (isWithin(path, home) && path !== home) return `~/${escapeGlob(relative(home, path))}`
  return `/${escapeGlob(path)}`
}
