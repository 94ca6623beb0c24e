import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { CommandReader } from '../command-line.ts'
import { isJsonObject } from '../json-value.ts'
import type { JudgedCall } from '../permission.ts'
import { escapeGlob } from './glob.ts'
import { pathsOf } from './judge-path.ts'
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
      return suggestForCommand(isJsonObject(args) ? args['command'] : undefined, options)
    case 'read':
      return pathsOf(call).map((path) => `Read(${folderPattern(path, options)})`)
    case 'edit':
      return pathsOf(call).map((path) => `Edit(${folderPattern(path, options)})`)
    case 'fetch': {
      const url = isJsonObject(args) ? args['url'] : undefined
      return typeof url === 'string' && URL.canParse(url) ? [`WebFetch(domain:${new URL(url).hostname})`] : []
    }
    case 'other':
      return [tool.name]
  }
}

async function suggestForCommand(command: unknown, options: SuggestOptions): Promise<readonly string[]> {
  if (typeof command !== 'string') return []
  const { plain } = await options.reader.read(command, options)
  if (plain === undefined) return []
  const rules = plain.flatMap(({ inner, words, readOnly, runsMore, files }) => [
    ...(readOnly && files.every(({ path }) => path === undefined || isBelow(path, options.cwd))
      ? []
      : [`Bash(${runsMore ? writeRuleWords(words) : commandPattern(inner)})`]),
    ...files.flatMap(({ path, access }) =>
      access === 'write' && path !== undefined ? [`Edit(${filePattern(path, options)})`] : [],
    ),
  ])
  const unique = [...new Set(rules)]
  return unique.length > mostRules ? [] : unique
}

/** Programs that are many, of which the next word says which; and words after which yet another one does. */
const programs = new Set(
  (
    'git npm pnpm yarn bun deno cargo go docker podman kubectl gh glab make just pip pip3 uv poetry dotnet mvn gradle terraform ' +
    'brew apt systemctl rustup composer bundle rake mix flutter swift helm'
  ).split(' '),
)
const groups =
  /^(run|exec|compose|remote|stash|worktree|submodule|pr|issue|repo|workspace|workspaces|config|tool|pip)$/
/** Words that run anything. Nobody means to allow them whatever follows. */
const launches = /^(exec|x|dlx|run-script|compose)$/

function commandPattern(words: readonly string[]): string {
  const [name = '', action, target] = words
  if (
    !programs.has(name) ||
    action === undefined ||
    !/^[a-z][\w:-]*$/i.test(action) ||
    launches.test(action)
  ) {
    return writeRuleWords(words)
  }
  if (!groups.test(action)) return `${writeRuleWords([name, action])}:*`
  return target === undefined || !/^\w[\w:.-]*$/.test(target)
    ? writeRuleWords(words)
    : `${writeRuleWords([name, action, target])}:*`
}

/** The folder of a file with all that is in it; of a file of the project's own folder, only the file. */
function folderPattern(path: string, options: SuggestOptions): string {
  const file =
    path === '~' || path.startsWith('~/') ? join(options.home, path.slice(1)) : resolve(options.cwd, path)
  const folder = dirname(file)
  const isOfProject = folder !== options.cwd && isBelow(folder, options.cwd)
  return isOfProject ? `${filePattern(folder, options)}/**` : filePattern(file, options)
}

/** `//` begins at the root: the rule stands in the user's own settings. */
function filePattern(path: string, { home }: SuggestOptions): string {
  if (isBelow(path, home) && path !== home) return `~/${escapeGlob(relative(home, path))}`
  return `/${escapeGlob(path)}`
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path)
  return inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside)
}
