import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isPipeError } from '../../error.ts'
import { isWorktreeName, type NamedWorktree, openNamedWorktree } from '../../git/worktrees/named-worktree.ts'
import { printWarning } from '../../terminal/output.ts'
import { readOwnSettings } from '../choices.ts'
import { createSetup } from '../commands/worker/setup.ts'
import { type Flags, usageError } from '../flags.ts'
import type { Host } from '../host.ts'
import type { RunContext } from '../run-context.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import { worktreePlace } from '../wiring/tasks/task-worktrees.ts'
import { withCommands } from '../wiring/with-commands.ts'

/** Runs work in the worktree that `--worktree` names, and leaves it: removed if nothing in it would be lost. Throws `usage`, `input`, `tool`. */
export async function inWorktree(
  context: RunContext,
  work: (context: RunContext) => Promise<number>,
): Promise<number> {
  const { host, flags, signal } = context
  const name = readWorktreeName(flags.text('worktree') ?? '', host)
  return withCommands(host, async (commands) => {
    const worktree = await openNamedWorktree(worktreePlace(host, commands), name, { signal })
    try {
      if (worktree.isNew) {
        const { settings } = await readAllSettings(host, readOwnSettings(flags))
        const setup = createSetup(host, settings, commands)
        if (setup !== undefined) await worktree.prepare(setup, { signal })
      }
      process.chdir(worktree.cwd)
      return await work({
        ...context,
        flags: seenFrom(host.cwd, flags),
        host: { ...host, cwd: worktree.cwd },
      })
    } finally {
      process.chdir(host.cwd)
      await leave(worktree, name, context)
    }
  })
}

/** Flags that name a file or folder to read, if their value is no text. `-` stands for stdin. */
const readFlags = [
  'file',
  'json-schema',
  'settings',
  'mcp-config',
  'system-prompt-file',
  'append-system-prompt-file',
  'agents',
  'plugin-dir',
  'plugin-dir-no-mcp',
] as const
/** Flags that name a file to write. */
const writtenFlags = ['record', 'failed', 'resume-map'] as const

/** Spells relative paths out, since the user wrote them in this folder. Leaves what is no path, as JSON or a schema in short may be. */
function seenFrom(folder: string, flags: Flags): Flags {
  const written = flags.changed(writtenFlags, (path) => resolve(folder, path))
  return written.changed(readFlags, (value) => {
    const path = resolve(folder, value)
    return value !== '-' && existsSync(path) ? path : value
  })
}

/** Reads a name that fits into a path and a branch. */
export function readWorktreeName(given: string, { newId }: Pick<Host, 'newId'>): string {
  if (given === '') return newId.session().slice(-8)
  if (isWorktreeName(given)) return given
  throw usageError(
    `--worktree takes a name of letters, digits, -, _ and ., at most 64, not ${JSON.stringify(given)}`,
  )
}

/** Leaves a worktree, also after an interrupt, and says where it is if it stays. */
async function leave(worktree: NamedWorktree, name: string, { host, flags }: RunContext): Promise<void> {
  const { root, branch } = worktree
  const stays = (why: string) => {
    if (!flags.has('quiet'))
      printWarning(
        host,
        `${why}: ${root}, on the branch ${branch}. To continue there: pipe -w ${name} -c. To delete it: git worktree remove --force ${root}; git branch -D ${branch}`,
      )
  }
  try {
    const { signal } = new AbortController()
    if (!(await worktree.close({ signal }))) stays('the worktree has the changes')
  } catch (error) {
    if (!isPipeError(error)) throw error
    stays(`the worktree stays (${error.message})`)
  }
}
