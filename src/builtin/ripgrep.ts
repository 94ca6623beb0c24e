import { basename, dirname, join } from 'node:path'
import { isPipeError, PipeError } from '../error.ts'
import type { FoundLine, SearchRequest } from './found-line.ts'
import { limits } from './limits.ts'
import type { Workspace } from './workspace.ts'

/** ripgrep prints no more of a line than this many bytes: enough for the characters that are shown. */
const maxLineBytes = limits.searchLine * 4

/** Whether ripgrep picks the same files for this glob: with a slash it would let the glob overrule `.gitignore`. */
export function suitsRipgrep({ glob }: SearchRequest): boolean {
  return glob === undefined || !/[/!]/.test(glob)
}

/**
 * Searches with `rg`, in the order of paths and lines, the same files as `walk`. Throws `tool` with reason ENOENT where there
 * is no `rg`, `invalid` for a pattern that is no regular expression.
 */
export async function* ripgrep(
  workspace: Workspace,
  request: SearchRequest,
  isFolder: boolean,
): AsyncGenerator<FoundLine> {
  const { root, signal } = request
  const cwd = isFolder ? root : dirname(root)
  const args = [...argumentsOf(request), '--', isFolder ? './' : basename(root)]
  const running = workspace.commands.run(
    { file: 'rg', args, cwd, env: workspace.env, timeoutMs: limits.searchMs * 2 },
    { signal },
  )
  let rest = ''
  let complaint = ''
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) {
        if (step.value.exitCode === 2 && complaint !== '') throw new PipeError('invalid', complaint.trim())
        return
      }
      const { stream, chunk } = step.value
      if (stream === 'stderr') complaint = (complaint + Buffer.from(chunk).toString()).slice(0, 2_000)
      else {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const found = parse(line, cwd)
          if (found !== undefined) yield found
        }
      }
    }
  } finally {
    await running.return({ exitCode: null, signal: null, timedOut: false, durationMs: 0 })
  }
}

function argumentsOf({ pattern, glob, ignoreCase, context }: SearchRequest): string[] {
  return [
    ...['--no-config', '--no-messages', '--color=never', '--no-heading', '--with-filename', '--null'],
    ...['--line-number', '--sort=path', '--crlf', '--encoding=none', '--hidden', '--glob=!.git'],
    ...['--no-require-git', '--no-ignore-dot', '--no-ignore-global', '--no-ignore-exclude'],
    ...[`--max-columns=${maxLineBytes}`, '--max-columns-preview', `--context=${context}`],
    ...(glob === undefined ? [] : [`--type-add=wanted:${glob}`, '--type=wanted']),
    ...(ignoreCase ? ['--ignore-case'] : []),
    `--regexp=${pattern}`,
  ]
}

/** `path NUL number : text`, with `-` for context. Other lines are separators and remarks on binary files. */
function parse(line: string, cwd: string): FoundLine | undefined {
  const [, path, number, mark, text] = /^([^\0]+)\0(\d+)([:-])(.*)$/s.exec(line) ?? []
  if (path === undefined || text === undefined) return undefined
  return {
    path: join(cwd, path),
    number: Number(number),
    text: text.replace(/\r$/, ''),
    isMatch: mark === ':',
  }
}

/** Whether an error means that this machine has no ripgrep. */
export function isRipgrepMissing(error: unknown): boolean {
  return isPipeError(error) && error.code === 'tool'
}
