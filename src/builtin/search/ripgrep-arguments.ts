import { isPipeError } from '../../error.ts'
import { IgnoreRules } from '../../files/walk/ignore-rules.ts'
import type { SearchRequest } from './found-line.ts'
import { nameGlob } from './glob-pattern.ts'
import { namesOfType, typesIn } from './languages.ts'
import { scriptPattern } from './script-pattern.ts'

/** ripgrep's default engine lacks look-around and back-references. */
const needsOtherEngine = /\(\?<?[=!]|\\[1-9]/

/** The arguments before the path. They search the files that `walk` finds and ignore any configuration. */
export async function ripgrepArguments(request: SearchRequest): Promise<readonly string[]> {
  const { pattern, ignoreCase, multiline, isFolder } = request
  return [
    ...['--no-config', '--no-messages', '--no-ignore-messages', '--no-ignore-global', '--no-ignore-exclude'],
    ...['--sort=path', '--crlf', '--no-mmap', '--hidden', '--glob=!.git'],
    ...['--color=never', '--no-heading', '--with-filename', '--null'],
    ...(isFolder ? [...(await ignoreOptions(request.root)), ...nameOptions(request)] : []),
    ...outputOptions(request),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(multiline ? ['--multiline'] : []),
    ...(needsOtherEngine.test(pattern) ? ['--engine=auto'] : []),
    `--regexp=${multiline ? pattern : toEnd(byLine(pattern), request)}`,
  ]
}

/** Replaces `\A` and `\z` with `^` and `$`: in line mode, line ends and neighbours change what ripgrep matches with the former. */
function byLine(pattern: string): string {
  const ends = new Map([
    ['\\A', '^'],
    ['\\z', '$'],
  ])
  return pattern.replace(/\\./gs, (pair) => ends.get(pair) ?? pair)
}

/**
 * Extends a match to the end of its line: ripgrep keeps all matches of a line to print the first column, which took a gigabyte for a
 * line of 200 MB. Leaves patterns that JavaScript rejects: they may be invalid, to be shown as written, or end in a comment.
 */
function toEnd(pattern: string, request: SearchRequest): string {
  if (request.output !== 'lines') return pattern
  try {
    scriptPattern(pattern, request)
    return `(?:${pattern}).*`
  } catch (error) {
    if (!isPipeError(error)) throw error
    return pattern
  }
}

async function ignoreOptions(root: string): Promise<readonly string[]> {
  const { heedsParents, isBounded } = await IgnoreRules.above(root)
  return [...(heedsParents ? [] : ['--no-ignore-parent']), ...(isBounded ? [] : ['--no-require-git'])]
}

/** Passes names as a type, because a glob would override the ignore files. The last part of a longer glob narrows the search. */
function nameOptions({ glob = '', type }: SearchRequest): readonly string[] {
  if (type !== undefined) {
    return typesIn(type).flatMap((one) => {
      const names = namesOfType(one)
      return names === undefined ? [`--type=${one}`] : wanted(names)
    })
  }
  const name = glob.startsWith('!') ? undefined : nameGlob(glob.slice(glob.lastIndexOf('/') + 1))
  return name === undefined ? [] : wanted([name])
}

function wanted(names: readonly string[]): readonly string[] {
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted']
}

/** Prints lines even if they are only counted: each is checked against the file's text. */
function outputOptions({ output, multiline, context }: SearchRequest): readonly string[] {
  if (output !== 'lines') return ['--line-number']
  return ['--line-number', ...(multiline ? [] : ['--column']), `--context=${context}`]
}
