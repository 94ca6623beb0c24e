import { join } from 'node:path'
import type { CommandRunner } from '../../command.ts'
import { authPath } from '../../config/auth-file.ts'
import { type Directories, ownFolders } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import type { PermissionMode } from '../../permission.ts'
import { protectedNames } from '../../policy/protected.ts'
import type { OpenSandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxProfile } from '../../sandbox/profile.ts'
import type { SandboxMode } from '../../sandbox.ts'
import type { Host } from '../host.ts'

/** Where the commands of a run are carried out. */
export interface CommandSandbox {
  /** Absent where it is switched off. */
  readonly sandbox?: OpenSandbox
  /** The sandbox that commands run in while this permission mode holds. */
  inMode(mode: PermissionMode): Promise<SandboxMode | undefined>
  /** What a person should know who chose this mode: that `auto` has no sandbox here. Said once. */
  noteOf(mode: PermissionMode): Promise<string | undefined>
}

export interface SandboxSurroundings {
  readonly host: Pick<Host, 'cwd' | 'added' | 'home' | 'env' | 'platform' | 'clock'>
  readonly settings: Pick<Settings, 'sandbox' | 'permissions'>
  readonly directories: Directories
  /** What runs the programs in the end. */
  readonly commands: CommandRunner
  /** A folder for temporary files, removed by the caller. */
  readonly scratch: string
  /** What commands are not to read, beside pipe's own keys. Default: nothing. */
  readonly unreadable?: readonly string[]
  /** What they are not to write to, beside what is protected. Default: nothing. */
  readonly uneditable?: readonly string[]
}

/** The sandbox that the settings describe, whether they switch it on or not. */
export async function createSandbox(around: SandboxSurroundings): Promise<OpenSandbox> {
  const { openSandbox } = await import('../../sandbox/open-sandbox.ts')
  const { host, commands } = around
  const { platform, env, clock } = host
  const { arch } = process
  const profile = createProfile(around)
  return openSandbox({ commands, clock, profile, platform, arch, path: env['PATH'] ?? '' })
}

export interface CommandSandboxOptions extends SandboxSurroundings {
  /** Whether the permission mode may become another one than that of the settings. */
  readonly mayChangeMode: boolean
}

/**
 * The sandbox of the settings. One that is asked for by name is in force in every mode; else there is one in `auto`, where it works.
 * Throws `sandbox` where one is asked for that does not work.
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
    return `auto asks as default does, because commands have no sandbox: ${reason}`
  }
}

/** Folders of a home that say who may come in and what is run for its owner; they matter where it lies in the project. */
const loginFolders = ['.ssh', '.gnupg', '.config', '.local/bin']

/** Protected files that nothing reads but in a home, so that elsewhere none has to be kept from coming to be. */
const homeNames = new Set(
  (
    '.gitconfig .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zshenv .zlogin .zlogout .cshrc ' +
    '.tcshrc .profile .inputrc .ripgreprc .netrc .curlrc .wgetrc'
  ).split(' '),
)

/** What stays as it is by the names that the policy protects, in the folders that are worked in and in this home. */
export function protectedIn(
  home: string,
): Pick<SandboxProfile, 'protectedNames' | 'protectedFolders' | 'protectedFiles'> {
  // No file system here has the short names that one of them is.
  const folders = protectedNames.folders.filter((name) => !name.includes('~'))
  const { files } = protectedNames
  return {
    protectedNames: [...folders, ...files],
    protectedFolders: [...folders, ...loginFolders.map((name) => join(home, name))],
    protectedFiles: files.map((name) => (homeNames.has(name) ? join(home, name) : name)),
  }
}

function createProfile(around: SandboxSurroundings): SandboxProfile {
  const { host, settings, directories, scratch, unreadable = [], uneditable = [] } = around
  const { mode, network = false, writable = [] } = settings.sandbox ?? {}
  const { cwd, added = [], home } = host
  const kept = protectedIn(home)
  return {
    mode: mode === 'read-only' ? mode : 'workspace-write',
    network,
    writable: [cwd, ...added, ...writable.map((path) => path.replace(/^~(?=\/|$)/, () => home))],
    ...kept,
    protectedFolders: [...kept.protectedFolders, ...ownFolders(directories)],
    readOnly: uneditable,
    hidden: [authPath(directories.config), ...unreadable],
    temp: join(scratch, 'tmp'),
    visible: [scratch],
  }
}
