import { dirname, relative } from 'node:path'
import { escapeGlob } from '../globs/compile-glob.ts'
import { isWithin, resolvePath } from '../machine/path.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { hostIn } from '../machine/url-host.ts'
import type { JudgedCall } from '../permission.ts'
import type { CommandReader, SimpleCommand } from './command-line.ts'
import { writeRuleWords } from './rules/rule-words.ts'

export interface SuggestOptions {
  readonly cwd: string
  readonly home: string
  readonly reader: CommandReader
  /** Whether there is a folder at this path. */
  readonly isFolder: (path: string) => Promise<boolean>
  /** Whether git finds the repository of `cwd` in this folder. */
  readonly isSameRepository: (folder: string) => Promise<boolean>
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
  if (tool.command !== undefined) return suggestForCommand(tool.command(args)?.line, options)
  if (tool.url !== undefined) {
    const host = hostIn(tool.url(args))
    return host === undefined ? refused('it names no host') : ok([`WebFetch(domain:${host})`])
  }
  const paths = tool.paths?.(args) ?? []
  const isStated = paths.length > 0 && (tool.readOnly(args) || paths.some(({ access }) => access === 'write'))
  if (!isStated) return ok([tool.name])
  const rules = paths.map(async (path) => {
    const covered = (await options.isFolder(path.from ?? path.path))
      ? `${filePattern(resolvePath(path.path, options), options)}/`
      : folderPattern(path.path, options)
    return `${path.access === 'write' ? 'Edit' : 'Read'}(${covered})`
  })
  return ok([...new Set(await Promise.all(rules))])
}

async function suggestForCommand(command: string | undefined, options: SuggestOptions): Promise<Suggestion> {
  if (command === undefined) return refused('it holds no command')
  const { plain, obstacle } = await options.reader.read(command, options)
  if (plain === undefined) return refused(obstacle ?? 'pipe cannot tell what it does')
  const risk = plain.map(riskOf).find((one) => one !== undefined)
  if (risk !== undefined) return refused(risk)
  const needs = await Promise.all(plain.map((command) => needsRule(command, options)))
  const rules = plain.flatMap(({ inner, words, prefix, runsMore, files }, i) => [
    ...(!needs[i] ? [] : [`Bash(${runsMore ? writeRuleWords(words) : commandPattern(inner, prefix)})`]),
    ...files.flatMap(({ path, access }) =>
      access === 'write' && path !== undefined ? [`Edit(${filePattern(path, options)})`] : [],
    ),
  ])
  const unique = [...new Set(rules)]
  return unique.length > mostRules
    ? refused(`it would take ${unique.length} rules, more than ${mostRules}`)
    : ok(unique)
}

/** Whether a command does more than read in the project and its repository. */
async function needsRule(
  { readOnly, files, gitFolders }: SimpleCommand,
  { cwd, isSameRepository }: SuggestOptions,
): Promise<boolean> {
  if (!readOnly || files.some(({ path }) => path !== undefined && !isWithin(path, cwd))) return true
  return (await Promise.all(gitFolders.map(isSameRepository))).includes(false)
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
