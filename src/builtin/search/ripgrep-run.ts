import { basename, dirname, join } from 'node:path'
import { type CommandExit, type CommandRunner, unfinished } from '../../command.ts'
import { PipeError } from '../../error.ts'
import { limits } from '../limits.ts'
import type { Workspace } from '../workspace.ts'
import type { Finding, SearchRequest } from './found-line.ts'
import { unknownType } from './languages.ts'
import { ripgrepArguments } from './ripgrep-arguments.ts'
import { invalidPattern } from './script-pattern.ts'

const binaryRemark = /^[^\0]*: (WARNING: stopped searching binary file|binary file matches) [^\0]*$/

/** What one run of a ripgrep finds; `undefined` follows what it found in a file that turned out to be binary. */
export async function* runRipgrep(
  program: string,
  { commands, env }: Workspace,
  request: SearchRequest,
): AsyncGenerator<Finding | undefined> {
  const { root, isFolder, counts, signal } = request
  const cwd = isFolder ? root : dirname(root)
  const args = [...(await ripgrepArguments(request)), '--', `./${isFolder ? '' : basename(root)}`]
  const command = { file: program, args, cwd, env, timeoutMs: limits.searchMs * 2 }
  let begun = ''
  for await (const rest of linesOf(commands.run(command, { signal }), request)) {
    const line = begun + rest
    // A name may hold line ends; what follows it is NUL, or a remark.
    const isBegun = line.startsWith('./') && !line.includes('\0') && !binaryRemark.test(line)
    begun = isBegun ? `${line}\n` : ''
    if (isBegun) continue
    if (binaryRemark.test(line)) yield undefined
    const finding = counts ? parseCount(line, cwd) : parseLine(line, cwd)
    if (finding !== undefined) yield finding
  }
}

async function* linesOf(
  running: ReturnType<CommandRunner['run']>,
  request: SearchRequest,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let [rest, complaint] = ['', '']
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) return checkExit(step.value, complaint, request)
      const { stream, chunk } = step.value
      if (stream === 'stderr') complaint = (complaint + Buffer.from(chunk).toString()).slice(0, 2_000)
      else {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        yield* lines
      }
    }
  } finally {
    await running.return(unfinished)
  }
}

/** ripgrep exits with 1 where nothing matches, with 2 where the request is bad, or where it could not read a file. */
function checkExit({ exitCode, signal }: CommandExit, complaint: string, { type = '' }: SearchRequest): void {
  const said = complaint.trim().replace(/^rg: /, '')
  if (exitCode === 0 || exitCode === 1 || (exitCode === 2 && said === '')) return
  if (said.startsWith('unrecognized file type')) throw new PipeError('invalid', unknownType(type))
  if (exitCode === 2 && /regex/.test(said)) throw invalidPattern(said)
  if (exitCode === 2) throw new PipeError('invalid', said)
  throw new PipeError('internal', `ripgrep ended with ${exitCode ?? signal}: ${said}`)
}

/** `path NUL number : text`, with `-` for context; other lines are separators. */
function parseLine(line: string, cwd: string): Finding | undefined {
  const [, path, number, mark, text] = /^([^\0]+)\0(\d+)([:-])(.*)$/s.exec(line) ?? []
  if (path === undefined || text === undefined) return undefined
  return {
    type: 'line',
    path: join(cwd, path),
    number: Number(number),
    text: text.replace(/\r$/, ''),
    isMatch: mark === ':',
  }
}

/** `path NUL number` */
function parseCount(line: string, cwd: string): Finding | undefined {
  const [, path, matches] = /^([^\0]+)\0(\d+)\r?$/.exec(line) ?? []
  return path === undefined ? undefined : { type: 'file', path: join(cwd, path), matches: Number(matches) }
}
