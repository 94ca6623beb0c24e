import { dirname, relative } from 'node:path'
import type { CommandReader } from '../command-line.ts'
import { isWithin, resolvePath } from '../path.ts'
import type { JudgedCall } from '../permission.ts'
import { hostOf, textOf } from './call-arguments.ts'
import { escapeGlob } from './glob.ts'
import { pathOf } from './judge-path.ts'
import { toolKind } from './rule.ts'
import { writeRuleWords } from './rule-words.ts'

export interface SuggestOptions {
  readonly cwd: string
  readonly home: string
  readonly reader: CommandReader
}

/** More rules than this are no longer read by the person who says yes to them. */
const mostRules = 5

/**
 * The narrowest rules under which this call, and those that differ only in what is beside the point, need no question: one for
 * each part of a command that does more than read. None where no rule can say it. They mean the same in every folder.
 */
export async function suggestRules(call: JudgedCall, options: SuggestOptions): Promise<readonly string[]> {
  const { tool, arguments: args } = call
  switch (toolKind(tool.name)) {
    case 'command':
      return suggestForCommand(textOf(args, 'command'), options)
    case 'read':
      return [`Read(${folderPattern(pathOf(call), options)})`]
    case 'edit':
      return [`Edit(${folderPattern(pathOf(call), options)})`]
    case 'fetch': {
      const host = hostOf(args)
      return host === undefined ? [] : [`WebFetch(domain:${host})`]
    }
    case 'other':
      return [tool.name]
  }
}

async function suggestForCommand(
  command: string | undefined,
  options: SuggestOptions,
): Promise<readonly string[]> {
  if (command === undefined) return []
  const { plain } = await options.reader.read(command, options)
  if (plain === undefined || plain.some(({ readsCommands }) => readsCommands)) return []
  const rules = plain.flatMap(({ inner, words, readOnly, runsMore, files }) => [
    ...(readOnly && files.every(({ path }) => path === undefined || isWithin(path, options.cwd))
      ? []
      : [`Bash(${runsMore ? writeRuleWords(words) : commandPattern(inner)})`]),
    ...files.flatMap(({ path, access }) =>
      access === 'write' && path !== undefined ? [`Edit(${filePattern(path, options)})`] : [],
    ),
  ])
  const unique = [...new Set(rules)]
  return unique.length > mostRules ? [] : unique
}

/**
 * Commands that mean the same whatever follows: none of their options runs anything, or those that do are never allowed by the
 * first words alone.
 */
const prefixes =
  /^(git (add|commit|fetch|merge|mv|pull)|(npm|pnpm|yarn) (test|run \w[\w:.-]*)|cargo (build|check|clippy|test)|go (test|vet))$/

function commandPattern(words: readonly string[]): string {
  const prefix = [words.slice(0, 2), words.slice(0, 3)].find(
    (some) => some.every((word) => !word.includes(' ')) && prefixes.test(some.join(' ')),
  )
  return prefix === undefined ? writeRuleWords(words) : `${writeRuleWords(prefix)}:*`
}

/** The folder of a file with all that is in it; of a file of the project's own folder, only the file. */
function folderPattern(path: string, options: SuggestOptions): string {
  const file = resolvePath(path, options)
  const folder = dirname(file)
  const isOfProject = folder !== options.cwd && isWithin(folder, options.cwd)
  return isOfProject ? `${filePattern(folder, options)}/**` : filePattern(file, options)
}

/** `//` begins at the root: the rule stands in the user's own settings. */
function filePattern(path: string, { home }: SuggestOptions): string {
  if (isWithin(path, home) && path !== home) return `~/${escapeGlob(relative(home, path))}`
  return `/${escapeGlob(path)}`
}
