import { join } from 'node:path'
import { authPath } from '../../../config/auth-file.ts'
import { type Directories, ownFolders } from '../../../config/directories.ts'
import { signInPath } from '../../../config/mcp/sign-in-path.ts'
import type { Settings } from '../../../config/settings.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { SandboxMode } from '../../../machine/sandbox.ts'
import { protectedNames } from '../../../permission/paths/protected-names.ts'
import type { PermissionMode } from '../../../permission.ts'
import type { OpenSandbox } from '../../../sandbox/open-sandbox.ts'
import type { SandboxProfile } from '../../../sandbox/profile.ts'
import type { Machine } from '../../machine.ts'

/** The sandbox of a run's commands. */
export interface CommandSandbox {
  /** Absent if it is off. */
  readonly sandbox?: OpenSandbox
  /** Returns the sandbox mode of commands in this permission mode. */
  inMode(mode: PermissionMode): Promise<SandboxMode | undefined>
  /** Returns a note if `auto` has no sandbox here, once. */
  noteOf(mode: PermissionMode): Promise<string | undefined>
}

export interface SandboxContext {
  readonly machine: Pick<Machine, 'cwd' | 'added' | 'home' | 'env' | 'platform' | 'clock'>
  readonly settings: Pick<Settings, 'sandbox' | 'permissions'>
  readonly directories: Directories
  /** Runs the programs. */
  readonly commands: CommandRunner
  /** A folder for temporary files, removed by the caller. */
  readonly scratch: string
  /** Paths that commands must not read, besides pipe's own keys. Default: none. */
  readonly unreadable?: readonly string[]
  /** Paths that commands must not write, besides protected ones. Default: none. */
  readonly uneditable?: readonly string[]
}

/** Creates the sandbox of the settings, even if it is off. */
export async function createSandbox(around: SandboxContext): Promise<OpenSandbox> {
  const { openSandbox } = await import('../../../sandbox/open-sandbox.ts')
  const { machine, commands } = around
  const { platform, env, clock } = machine
  const { arch } = process
  const profile = createProfile(around)
  return openSandbox({ commands, clock, profile, platform, arch, path: env['PATH'] ?? '' })
}

export interface CommandSandboxOptions extends SandboxContext {
  /** Whether the permission mode may change during the run. */
  readonly mayChangeMode: boolean
}

/**
 * Opens the sandbox of the settings. One set explicitly applies in every mode; otherwise only in `auto`, if it works. Throws
 * `sandbox` if an explicit one does not work.
 */
export async function openCommandSandbox(options: CommandSandboxOptions): Promise<CommandSandbox> {
  const { settings, mayChangeMode } = options
  const mode = settings.sandbox?.mode
  const isNeeded = mode !== undefined || mayChangeMode || settings.permissions?.mode === 'auto'
  if (mode === 'off' || !isNeeded) return withoutSandbox('it is switched off')
  const sandbox = await createSandbox(options)
  if (mode !== undefined) {
    await sandbox.require()
    return { sandbox, inMode: async () => mode, noteOf: async () => undefined }
  }
  const once = sayOnce()
  return {
    sandbox,
    inMode: async (wanted) => (wanted === 'auto' && (await sandbox.check()).works ? sandbox.mode : undefined),
    noteOf: async (wanted) => {
      if (wanted !== 'auto') return undefined
      const state = await sandbox.check()
      return state.works ? undefined : once(`${state.reason}; ${state.remedy}`)
    },
  }
}

function withoutSandbox(reason: string): CommandSandbox {
  const once = sayOnce()
  return {
    inMode: async () => undefined,
    noteOf: async (mode) => (mode === 'auto' ? once(reason) : undefined),
  }
}

function sayOnce(): (reason: string) => string | undefined {
  let isSaid = false
  return (reason) => {
    if (isSaid) return undefined
    isSaid = true
    return `mode auto asks like default, because commands have no sandbox: ${reason}`
  }
}

/** Returns the protected names in the working folders and in this home. */
export function protectedIn(
  home: string,
): Pick<SandboxProfile, 'protectedNames' | 'protectedFolders' | 'protectedFiles'> {
  const { folders, files, homeFiles, homeFolders, otherFolders, otherFiles } = protectedNames
  return {
    protectedNames: [
      ...[...folders, ...files, ...otherFolders],
      ...otherFiles.filter((name) => !name.includes('/')),
    ],
    protectedFolders: [...folders, ...homeFolders.map((name) => join(home, name))],
    protectedFiles: files.map((name) => (homeFiles.includes(name) ? join(home, name) : name)),
  }
}

/** The protected paths of several names in a folder, which stay as they are if they exist. */
function otherPathsIn(folder: string): readonly string[] {
  const { otherFiles, otherPaths } = protectedNames
  return [...otherFiles.filter((name) => name.includes('/')), ...otherPaths].map((name) => join(folder, name))
}

function createProfile(around: SandboxContext): SandboxProfile {
  const { machine, settings, directories, scratch, unreadable = [], uneditable = [] } = around
  const { mode, network = false, writable = [] } = settings.sandbox ?? {}
  const { cwd, added = [], home } = machine
  const kept = protectedIn(home)
  const folders = [cwd, ...added, ...writable.map((path) => path.replace(/^~(?=\/|$)/, () => home))]
  return {
    mode: mode === 'read-only' ? mode : 'workspace-write',
    network,
    writable: folders,
    ...kept,
    protectedFolders: [...kept.protectedFolders, ...ownFolders(directories)],
    readOnly: [...uneditable, ...folders.flatMap(otherPathsIn)],
    hidden: [authPath(directories.config), signInPath(directories.config), ...unreadable],
    temp: join(scratch, 'tmp'),
    visible: [scratch],
  }
}
