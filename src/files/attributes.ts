import { lstatSync } from 'node:fs'
import { type CommandRunner, type Program, unfinished } from '../command.ts'
import { isPipeError } from '../error.ts'

/** Knows which files hold more than content, owner and mode: an access list, extended attributes of users. */
export interface Attributes {
  /** Whether there is a file that may hold such, and would lose it to one that took its place. */
  mayHave(path: string, signal: AbortSignal): Promise<boolean>
  /** What stands there now was made anew, or had none before: it has what its folder hands down. */
  hasNone(path: string): void
}

const patienceMs = 5_000

/**
 * For Linux. Asks GNU tar, because Node cannot tell: once for each file, and again when another has changed it. Where there is no
 * such tar, files are taken to have none: rather lose what is rarely there than have every file written in place.
 */
export function createAttributes(commands: CommandRunner, env: () => Program['env']): Attributes {
  const without = new Map<string, string>()
  return {
    mayHave: async (path, signal) => {
      const stamp = stampOf(path)
      if (stamp === undefined || without.get(path) === stamp) return false
      const row = await rowOf(commands, { path, env: env() }, signal)
      const isPlain = row === '' || /^-\S{9} /.test(row)
      if (isPlain) without.set(path, stamp)
      return !isPlain
    },
    hasNone: (path) => {
      const stamp = stampOf(path)
      if (stamp !== undefined) without.set(path, stamp)
    },
  }
}

/** Tells apart what stood there at different times: setting attributes changes it. `undefined` where there is no file. */
function stampOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}:${stats.ctimeNs}` : undefined
}

/**
 * How tar lists a file for an archive that nobody keeps: the mode, and a sign behind it where there is more (`-rw-r--r--*`). Empty
 * where it does not say.
 */
async function rowOf(
  commands: CommandRunner,
  { path, env }: { readonly path: string; readonly env: Program['env'] },
  signal: AbortSignal,
): Promise<string> {
  const flags = ['--acls', '--xattrs', '--xattrs-include=user.*', '--absolute-names']
  const args = [...flags, '-cvvf', '/dev/null', '--', path]
  const running = commands.run({ file: 'tar', args, cwd: '/', env, timeoutMs: patienceMs }, { signal })
  let row = ''
  try {
    for await (const { stream, chunk } of running) {
      if (stream === 'stdout') row += Buffer.from(chunk).toString('latin1')
    }
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'tool') throw error
  } finally {
    await running.return(unfinished)
  }
  return row
}
