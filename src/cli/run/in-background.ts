import { fstatSync } from 'node:fs'
import type { NewRemoteSession, RemoteServer } from '../../attach/remote-server.ts'
import { readPermissionMode } from '../../config/permission-mode.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { systemCode } from '../../files/system-error.ts'
import { belowHome } from '../../machine/path.ts'
import type { PermissionMode } from '../../permission.ts'
import { printWarning } from '../../terminal/output.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { readOwnSettings } from '../choices.ts'
import { Remotes } from '../commands/attach/remotes.ts'
import { serversOfThisMachine } from '../commands/attach/target.ts'
import { type Flags, usageError } from '../flags.ts'
import type { RunContext } from '../run-context.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import { readWorktreeName } from './in-worktree.ts'

/**
 * Hands a prompt to a server of this user that works in this folder, prints the id of its session, and returns 0. Throws `usage` for flags
 * that cannot go with it, `not_found` if no server works here, and what the server refuses with.
 */
export async function inBackground(prompt: string | undefined, context: RunContext): Promise<number> {
  const { host, flags, signal } = context
  requireHandedFlags(flags)
  const text = requirePrompt(prompt, flags)
  const mode = readMode(flags)
  const { settings } = await readAllSettings(host, readOwnSettings(flags))
  const remotes = new Remotes({ machine: host, settings, signal })
  try {
    const { server, project } = await findServer(context, remotes)
    const choices = choicesOf(context)
    const id = await server.begin({ project, text, mode, ...choices })
    report(id, choices.worktree, context)
    return 0
  } finally {
    remotes.close()
  }
}

/** Flags that `--bg` hands over, or that say how pipe itself behaves. */
const handed: ReadonlySet<string> = new Set([
  ...['bg', 'model', 'agent', 'permission-mode', 'yolo', 'worktree', 'cd', 'stdin', 'print'],
  ...['json', 'output-format', 'quiet', 'verbose'],
])

/** Says what to do instead of a flag. */
const instead: Readonly<Record<string, string>> = {
  continue: 'pipe attach ID goes on with a session',
  resume: 'pipe attach ID goes on with a session',
  session: 'pipe attach ID goes on with a session',
  fork: 'pipe attach ID goes on with a session',
  file: 'name the file in the prompt: @PATH',
  thinking: 'name the level with the model: -m MODEL:LEVEL',
  'prompt-interactive': 'pipe attach ID shows it once it runs',
  trust: 'trust the folder with pipe trust, or start pipe serve --trust',
}

/** Throws `usage` for a flag that the server would not get. */
function requireHandedFlags(flags: Flags): void {
  const other = flags.names.find((name) => !handed.has(name))
  if (other !== undefined)
    throw usageError(
      `--bg cannot be combined with --${other}: ${instead[other] ?? 'pipe serve has its own flags and settings'}`,
    )
  const format = flags.text('output-format')
  if (format !== undefined && format !== 'text' && format !== 'json')
    throw usageError(`--bg prints text or json, not ${format}: pipe attach ID -o stream-json prints events`)
}

function requirePrompt(prompt: string | undefined, flags: Flags): string {
  if (prompt === undefined || prompt.trim() === '') throw usageError('--bg needs a prompt: pipe --bg "…"')
  if (flags.text('stdin') !== 'none' && hasData())
    throw usageError('--bg hands over the prompt alone: name a file in it, @PATH, or add --stdin none')
  return prompt
}

/** Whether stdin is a pipe or a file with something in it. */
function hasData(): boolean {
  try {
    const stats = fstatSync(0)
    return stats.isFIFO() || (stats.isFile() && stats.size > 0)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

function readMode(flags: Flags): PermissionMode | undefined {
  if (flags.has('yolo')) return 'bypass'
  const word = flags.text('permission-mode')
  const mode = word === undefined ? undefined : readPermissionMode(word)
  if (word !== undefined && mode === undefined) throw usageError(`--bg takes no --permission-mode ${word}`)
  return mode
}

function choicesOf({ host, flags }: RunContext): Pick<NewRemoteSession, 'model' | 'agent' | 'worktree'> {
  const worktree = flags.text('worktree')
  return {
    model: flags.text('model'),
    agent: flags.text('agent'),
    worktree: worktree === undefined ? undefined : readWorktreeName(worktree, host),
  }
}

interface ServerHere {
  readonly server: RemoteServer
  /** The name of the folder there. */
  readonly project: string
}

/** Finds the first server of this user that works in this folder and answers. */
async function findServer(context: RunContext, remotes: Remotes): Promise<ServerHere> {
  const { cwd, home } = context.host
  const found = await serversOfThisMachine(context, remotes)
  let failure: PipeError | undefined
  for (const { running, server } of found) {
    if (!running.projects.includes(cwd)) continue
    try {
      const project = (await server.projects()).find((one) => one.cwd === cwd)
      if (project !== undefined) return { server, project: project.name }
    } catch (error) {
      if (!isPipeError(error)) throw error
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  const folder = belowHome(cwd, home)
  const others = found.length === 0 ? 'no server of yours runs' : 'your servers work in other folders'
  throw new PipeError(
    'not_found',
    `${others}: start one for ${folder} in another terminal, or with & behind it: pipe serve`,
  )
}

function report(id: string, worktree: string | undefined, { host, flags }: RunContext): void {
  const isJson = flags.format === 'json'
  host.stdout.write(isJson ? `${printableJson({ session_id: id })}\n` : `${id}\n`)
  const place = worktree === undefined ? '' : `, in .worktrees/${worktree}`
  if (!flags.has('quiet'))
    printWarning(
      host,
      `it works in the background${place}. Look in, and answer its questions: pipe attach ${id}`,
    )
}
