import { lstatSync } from 'node:fs'
import { hasCode } from '../../error.ts'
import { type CommandRunner, type ProgramCall, unfinished } from '../../machine/running-command.ts'

/** Knows the files that have an access list or extended user attributes besides content, owner and mode. */
export interface Attributes {
  /** Whether a file exists that may have such attributes and would lose them if replaced. */
  mayHave(path: string, signal: AbortSignal): Promise<boolean>
  /** Records that the file was just created or had none before: it has only what its folder passes on. */
  hasNone(path: string): void
}

const timeoutMs = 5_000

/**
 * Attributes on Linux, read with GNU tar because Node has no API: once per file, and again after another process changed it. Without
 * GNU tar assumes none: losing rare attributes is better than writing every file in place.
 */
export function createAttributes(commands: CommandRunner, env: () => ProgramCall['env']): Attributes {
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

/** Identifies a version of a file: setting attributes changes it too. `undefined` if there is no file. */
function stampOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}:${stats.ctimeNs}` : undefined
}

/** tar's listing of a file: the mode, with a suffix if there are attributes (`-rw-r--r--*`). Empty if tar fails. */
async function rowOf(
  commands: CommandRunner,
  { path, env }: { readonly path: string; readonly env: ProgramCall['env'] },
  signal: AbortSignal,
): Promise<string> {
  const flags = ['--acls', '--xattrs', '--xattrs-include=user.*', '--absolute-names']
  const args = [...flags, '-cvvf', '/dev/null', '--', path]
  const running = commands.run({ file: 'tar', args, cwd: '/', env, timeoutMs }, { signal })
  let row = ''
  try {
    for await (const { stream, chunk } of running) {
      if (stream === 'stdout') row += Buffer.from(chunk).toString('latin1')
    }
  } catch (error) {
    if (!hasCode(error, 'tool')) throw error
  } finally {
    await running.return(unfinished)
  }
  return row
}
