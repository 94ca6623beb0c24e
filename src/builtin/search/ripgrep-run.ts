import { basename, dirname, join } from 'node:path'
import { PipeError } from '../../error.ts'
import { type CommandExit, type CommandRunner, unfinished } from '../../machine/running-command.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'
import type { SearchRequest } from './found-line.ts'
import { unknownType } from './languages.ts'
import { excerptWindow, type LineWindow } from './line-excerpt.ts'
import { ripgrepArguments } from './ripgrep-arguments.ts'
import { invalidPattern } from './script-pattern.ts'

const binaryRemark = /^[^\0]*: (WARNING: stopped searching binary file|binary file matches) [^\0]*$/

/** A line as ripgrep printed it. */
export interface Hit extends LineWindow {
  readonly type: 'hit'
  /** Absolute. */
  readonly path: string
  readonly isMatch: boolean
  /** The bytes of the line between `from` and `to`. */
  readonly bytes: Buffer
}

/** Lines from one batch. `undefined` follows the lines of a file that turned out to be binary. */
export type Hits = readonly (Hit | undefined)[]

/** Yields the results of one ripgrep run in batches, as a log may have millions of matching lines. */
export async function* runRipgrep(
  program: string,
  { commands, env }: Workspace,
  request: SearchRequest,
): AsyncGenerator<Hits> {
  const { root, isFolder, signal } = request
  const cwd = isFolder ? root : dirname(root)
  const args = [...(await ripgrepArguments(request)), '--', `./${isFolder ? '' : basename(root)}`]
  const command = { file: program, args, cwd, env: env(), timeoutMs: limits.searchMs * 2 }
  let begun = ''
  let last = { name: '', path: cwd }
  for await (const lines of linesOf(commands.run(command, { signal }))) {
    const hits: (Hit | undefined)[] = []
    for (const bytes of lines) {
      const nul = bytes.indexOf(0)
      const name = begun + bytes.toString('utf8', 0, nul === -1 ? undefined : nul)
      const isRemark = nul === -1 && binaryRemark.test(name)
      // A name may contain newlines. A NUL or a remark follows it.
      begun = nul === -1 && name.startsWith('./') && !isRemark ? `${name}\n` : ''
      if (isRemark) hits.push(undefined)
      if (nul === -1) continue
      if (name !== last.name) last = { name, path: join(cwd, name) }
      const hit = parseLine(last.path, bytes.subarray(nul + 1), request)
      if (hit !== undefined) hits.push(hit)
    }
    yield hits
  }
}

/** Yields the lines completed by each piece of output. */
async function* linesOf(running: ReturnType<CommandRunner['run']>): AsyncGenerator<readonly Buffer[]> {
  let complaint = ''
  let begun: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) return checkExit(step.value, complaint)
      const { stream, chunk } = step.value
      if (stream === 'stderr') complaint = (complaint + Buffer.from(chunk).toString()).slice(0, 2_000)
      else {
        const lines: Buffer[] = []
        let from = 0
        for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
          const rest = Buffer.from(chunk.buffer, chunk.byteOffset + from, end - from)
          lines.push(begun.length === 0 ? rest : Buffer.concat([...begun, rest]))
          begun = []
          size = 0
          from = end + 1
        }
        if (size < limits.searchBytes) begun.push(chunk.subarray(from))
        size += chunk.length - from
        if (lines.length > 0) yield lines
      }
    }
  } finally {
    await running.return(unfinished)
  }
}

/** ripgrep exits with 1 if nothing matches, and with 2 if the request is bad or a file is unreadable. */
function checkExit({ exitCode, signal }: CommandExit, complaint: string): void {
  const said = complaint.trim().replace(/^rg: /, '')
  if (exitCode === 0 || exitCode === 1 || (exitCode === 2 && said === '')) return
  const [, type] = /^unrecognized file type: (.*)/.exec(said) ?? []
  if (type !== undefined) throw new PipeError('invalid', unknownType(type))
  if (exitCode === 2 && /regex/.test(said)) throw invalidPattern(said)
  if (exitCode === 2) throw new PipeError('invalid', said)
  throw new PipeError('internal', `ripgrep ended with ${exitCode ?? signal}: ${said}`)
}

/**
 * Parses `number : column : text`, or `number - text` for context; other lines are separators. There are no columns if a match may span
 * lines or lines are only counted.
 */
function parseLine(path: string, found: Buffer, { multiline, output }: SearchRequest): Hit | undefined {
  const hasColumns = output === 'lines' && !multiline
  const begin = hasColumns ? columns : numbers
  const [head, number, column] = begin.exec(found.toString('latin1', 0, 40)) ?? []
  if (head === undefined) return undefined
  const at = hasColumns && column !== undefined ? Number(column) - 1 : 0
  const { from, to } = excerptWindow(at)
  const bytes = found.subarray(head.length + from, head.length + to)
  return { type: 'hit', path, number: Number(number), at, from, to, isMatch: column !== undefined, bytes }
}

const columns = /^(\d+)(?::(\d+):|-)/
const numbers = /^(\d+)(?:(:)|-)/
