import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { trustRoot } from '../../../config/trust/folder-trust.ts'
import { holds } from '../../../config/trust/project-root.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { followed } from '../../../files/real-path.ts'
import type { Shadow } from '../../../git/shadow.ts'
import type { Checkpoints } from '../../../history/checkpoint.ts'
import type { SessionId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { UserMessage } from '../../../message.ts'
import type { Machine } from '../../machine.ts'

/** Opens the checkpoints of a session in this folder. They report why they cannot be saved. Without a session, saves none. */
export function openCheckpoints(
  machine: Machine,
  commands: CommandRunner,
  session: SessionId | undefined,
): Checkpoints {
  return lazyCheckpoints(async () => {
    const { createCheckpoints, withoutCheckpoints } = await import('../../../git/checkpoints/checkpoints.ts')
    if (session === undefined) return withoutCheckpoints()
    const root = findProject(machine)
    const shadow = await openShadow(machine, commands)
    if (root === undefined) return createCheckpoints(shadow, { session, treeless: homeReason })
    const uncovered = (machine.added ?? []).filter((folder) => !holds(root, folder))
    return createCheckpoints(shadow, { session, uncovered })
  })
}

/** Opens checkpoints at the first change: most turns make none. */
function lazyCheckpoints(open: () => Promise<Checkpoints>): Checkpoints {
  let opening: Promise<Checkpoints> | undefined
  let opened: Checkpoints | undefined
  let begun: UserMessage | undefined
  return {
    begin: (message) => {
      begun = message
    },
    save: async (options) => {
      opening ??= open()
      const checkpoints = await opening
      opened = checkpoints
      if (begun !== undefined) checkpoints.begin(begun)
      begun = undefined
      return checkpoints.save(options)
    },
    keep: async (path, options) => opened?.keep(path, options),
    end: async () => {
      begun = undefined
      return (await opening)?.end()
    },
  }
}

/** Does more at the end of each turn, once its messages are on disk. */
export function endingWith(more: () => Promise<void>, checkpoints: Checkpoints): Checkpoints {
  return {
    ...checkpoints,
    end: async () => {
      await more()
      return checkpoints.end()
    },
  }
}

/** Opens the repository with the saved files of this folder's project. Around the home folder it holds only what was written. */
export function openShadow(machine: Machine, commands: CommandRunner): Promise<Shadow> {
  return shadowOf(trustRoot(machine.cwd, machine.home), machine, commands)
}

/** Stores a note for the model, sent with the session's next message. */
export function leaveNote(machine: Machine, session: string, text: string): void {
  makePrivateFolder(checkpointFolder(machine))
  appendFileSync(notePath(machine, session), `${text}\n`, { mode: 0o600 })
}

/** Returns the stored note and deletes it. */
export function takeNote(machine: Machine, session: string): string | undefined {
  const path = notePath(machine, session)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  rmSync(path)
  return text
}

const homeReason = 'the home folder is too large to save; work in a project below it'

/** Finds the nearest folder with `.git` or `.pipe`, else this one; `undefined` if it would contain the home folder. */
export function findProject({ cwd, home }: Machine): string | undefined {
  const root = trustRoot(cwd, home)
  return holds(root, home) ? undefined : root
}

/** Opens the repository with the saved files of a folder. `directory` holds it. */
export async function shadowOf(
  root: string,
  machine: Machine,
  commands: CommandRunner,
  directory: string = checkpointFolder(machine),
): Promise<Shadow> {
  const { Shadow } = await import('../../../git/shadow.ts')
  const { clock, env, pid, hostname } = machine
  return new Shadow({
    root,
    directory,
    commands,
    clock,
    pid,
    host: hostname,
    cwd: followed(machine.cwd),
    keepOut: [followed(dirname(directory))],
    searchPath: env['PATH'] ?? '',
  })
}

export function checkpointFolder({ env, home }: Pick<Machine, 'env' | 'home'>): string {
  return join(dirname(findDirectories(env, home).sessions), 'checkpoints')
}

function notePath(machine: Machine, session: string): string {
  return join(checkpointFolder(machine), `${session}.note`)
}
