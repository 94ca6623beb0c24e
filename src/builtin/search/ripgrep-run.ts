import { basename, dirname, join } from 'node:path'
import { type CommandExit, type CommandRunner, unfinished } from '../../command.ts'
import { PipeError } from '../../error.ts'
import { limits } from '../limits.ts'
import type { Workspace } from '../workspace.ts'
import { excerpt } from './excerpt.ts'
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
  const command = { file: program, args, cwd, env: env(), timeoutMs: limits.searchMs * 2 }
  let begun = ''
  for await (const bytes of linesOf(commands.run(command, { signal }))) {
    const nul = bytes.indexOf(0)
    const name = begun + bytes.toString('utf8', 0, nul === -1 ? undefined : nul)
    const isRemark = nul === -1 && binaryRemark.test(name)
    // A name may hold line ends; what follows it is NUL, or a remark.
    begun = nul === -1 && name.startsWith('./') && !isRemark ? `${name}\n` : ''
    if (isRemark) yield undefined
    if (nul === -1) continue
    const found = bytes.subarray(nul + 1)
    const finding = counts ? parseCount(found) : parseLine(found, request)
    if (finding !== undefined) yield { ...finding, path: join(cwd, name) }
  }
}

/** More of a line is not looked at. */
const maxLineBytes = 64 * 1024 * 1024

async function* linesOf(running: ReturnType<CommandRunner['run']>): AsyncGenerator<Buffer> {
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
        let from = 0
        for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
          yield Buffer.concat([...begun, chunk.subarray(from, end)])
          begun = []
          size = 0
          from = end + 1
        }
        if (size < maxLineBytes) begun.push(chunk.subarray(from))
        size += chunk.length - from
      }
    }
  } finally {
    await running.return(unfinished)
  }
}

/** ripgrep exits with 1 where nothing matches, with 2 where the request is bad, or where it could not read a file. */
function checkExit({ exitCode, signal }: CommandExit, complaint: string): void {
  const said = complaint.trim().replace(/^rg: /, '')
  if (exitCode === 0 || exitCode === 1 || (exitCode === 2 && said === '')) return
  const [, type] = /^unrecognized file type: (.*)/.exec(said) ?? []
  if (type !== undefined) throw new PipeError('invalid', unknownType(type))
  if (exitCode === 2 && /regex/.test(said)) throw invalidPattern(said)
  if (exitCode === 2) throw new PipeError('invalid', said)
  throw new PipeError('internal', `ripgrep ended with ${exitCode ?? signal}: ${said}`)
}

/** Enough for the characters that are shown on either side of a match. */
const shownBytes = limits.searchLine * 4

type Found<Type> = Omit<Extract<Finding, { type: Type }>, 'path'>

/**
 * `number : column : text`, with `number - text` for context; other lines are separators. Where a match may go over several lines
 * there are no columns.
 */
function parseLine(found: Buffer, { multiline }: SearchRequest): Found<'line'> | undefined {
  const begin = multiline ? /^(\d+)(?:(:)|-)/ : /^(\d+)(?::(\d+):|-)/
  const [head, number, column] = begin.exec(found.toString('latin1', 0, 40)) ?? []
  if (head === undefined) return undefined
  const text = found.subarray(head.length)
  const at = multiline || column === undefined ? 0 : Number(column) - 1
  const before = text.toString('utf8', Math.max(0, at - shownBytes), at)
  const rest = text.toString('utf8', at, at + shownBytes).replace(/\r$/, '')
  const isMatch = column !== undefined
  return { type: 'line', number: Number(number), text: excerpt(before, rest), isMatch }
}

function parseCount(found: Buffer): Found<'file'> | undefined {
  const [, matches] = /^(\d+)\r?$/.exec(found.toString()) ?? []
  return matches === undefined ? undefined : { type: 'file', matches: Number(matches) }
}
