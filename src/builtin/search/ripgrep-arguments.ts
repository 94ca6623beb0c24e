import { isPipeError } from '../../error.ts'
import { IgnoreRules } from '../../files/ignore-rules.ts'
import type { SearchRequest } from './found-line.ts'
import { nameGlob } from './glob-pattern.ts'
import { namesOfType, typesIn } from './languages.ts'
import { scriptPattern } from './script-pattern.ts'

/** Looking around and back-references are beyond ripgrep's own engine. */
const needsOtherEngine = /\(\?<?[=!]|\\[1-9]/

/** What ripgrep is told, up to the path: to search the files that `walk` finds, and to let no configuration change that. */
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

/** Line by line ripgrep finds `\A` and `\z` in some lines and not in others, by how they end and what stands around them. */
function byLine(pattern: string): string {
  const ends = new Map([
    ['\\A', '^'],
    ['\\z', '$'],
  ])
  return pattern.replace(/\\./gs, (pair) => ends.get(pair) ?? pair)
}

/**
 * A match goes on to the end of its line, because ripgrep keeps all matches of a line to tell the column of the first: those of a
 * line of 200 MB took a gigabyte. What JavaScript does not take stays as it is: it may be none, to be shown as it was written, or end
 * in a comment.
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

/** Names are given as a type, because a glob would overrule the ignore files. Of a longer glob the last name narrows the search. */
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

/** Prints lines even if they are only counted, because each is checked against the file's text. */
function outputOptions({ output, multiline, context }: SearchRequest): readonly string[] {
  if (output !== 'lines') return ['--line-number']
  return ['--line-number', ...(multiline ? [] : ['--column']), `--context=${context}`]
}
