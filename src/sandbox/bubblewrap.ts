import type { Program } from '../command.ts'
import { unreachable } from '../error.ts'
import { isWithin } from '../path.ts'
import { type Access, type Accesses, isHidden } from './access.ts'
import type { SandboxProfile } from './profile.ts'

/** Of its own: users, processes, IPC, host name; it dies with who started it and can gain no privileges. */
const isolation = [
  ...['--new-session', '--die-with-parent', '--unshare-user-try', '--unshare-pid', '--unshare-ipc'],
  ...['--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
]

/**
 * `/run` holds the sockets of services that would do outside what is asked of them (Docker, D-Bus, the resolver, to which any
 * name can be told): only this of it is seen.
 */
const seenOfRun = [
  '/run/current-system',
  '/run/opengl-driver',
  '/run/systemd/resolve/resolv.conf',
  '/run/systemd/resolve/stub-resolv.conf',
  '/run/NetworkManager/resolv.conf',
  '/run/resolvconf',
]

/** Of the kernel itself: root may write to these even without any privilege, and say what the kernel runs. */
const kernel = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'mtrr', 'acpi'].map((name) => `/proc/${name}`)

/** Other folders stand in the place of these, in which there is nothing to hide. */
const replaced = ['/dev', '/run', '/tmp']

interface BubblewrapOptions {
  /** The `bwrap` program. */
  readonly file: string
  readonly profile: Pick<SandboxProfile, 'network' | 'temp' | 'visible'>
  readonly accesses: Accesses
  /** Files that are seen in the place of others, by the path of those. Default: none. */
  readonly covers?: ReadonlyMap<string, string>
  /** A file with a filter of system calls. Default: none. */
  readonly filter?: string
}

/** The same program inside bubblewrap (0.5 or newer). Folders of `/tmp` in which something is to be seen are read-only there. */
export function inBubblewrap(program: Program, options: BubblewrapOptions): Program {
  const { file, profile, accesses, covers = new Map<string, string>(), filter } = options
  const { cwd, env } = program
  const isOpen = accesses.get('/') === 'write'
  const open = [...accesses].flatMap(([path, access]) => (isHidden(access) ? [] : [path]))
  const inTmp = new Set([cwd, ...open, ...profile.visible].flatMap(firstOfTmp))
  const isSeen = (path: string) =>
    !replaced.some((folder) => isWithin(path, folder)) ||
    [...inTmp, ...open].some((folder) => folder !== '/' && isWithin(path, folder))
  // Mounted once more, the root would cover all that came before.
  const mounts = [...accesses].filter(([path, access]) => path !== '/' && (!isHidden(access) || isSeen(path)))
  const args = [
    ...isolation,
    ...(profile.network ? [] : ['--unshare-net']),
    ...[isOpen ? '--bind' : '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    // Read-only with the root, as a rule, and with many mounts of its own.
    ...[...kernel, ...(isOpen ? ['/sys'] : []), ...seenOfRun].flatMap((path) => [
      '--ro-bind-try',
      path,
      path,
    ]),
    ...['--bind', profile.temp, '/tmp'],
    ...[...inTmp].flatMap((path) => ['--ro-bind-try', path, path]),
    // A bind takes the longer the more is mounted; in what is a folder of its own nothing more is.
    ...mounts.filter(([, access]) => !isOwnFolder(access)).flatMap(mount),
    ...[...covers].filter(([path]) => isSeen(path)).flatMap(([path, source]) => ['--ro-bind', source, path]),
    ...mounts.filter(([, access]) => isOwnFolder(access)).flatMap(mount),
    ...(filter === undefined ? [] : ['--seccomp', '9']),
    ...['--chdir', cwd, '--', program.file, ...program.args],
  ]
  const inside = { cwd, env: { ...env, TMPDIR: '/tmp' } }
  if (filter === undefined) return { file, args, ...inside }
  // A descriptor is what bubblewrap takes the filter from; a shell opens one, and is no more when the program runs.
  return { file: '/bin/sh', args: ['-c', 'exec 9<"$0" "$@"', filter, file, ...args], ...inside }
}

function firstOfTmp(path: string): readonly string[] {
  const [first] = path.slice('/tmp/'.length).split('/')
  return isWithin(path, '/tmp') && path !== '/tmp' ? [`/tmp/${first}`] : []
}

/** Whether it is mounted as an empty folder that is nowhere else. */
function isOwnFolder(access: Access): boolean {
  return access === 'empty_folder' || access === 'hidden_folder'
}

function mount([path, access]: readonly [string, Access]): readonly string[] {
  switch (access) {
    case 'write':
      return ['--bind', path, path]
    case 'frozen':
    case 'read':
    // The stand-in itself: a device in its place cannot be opened.
    case 'empty_file':
      return ['--ro-bind', path, path]
    case 'empty_folder':
      // Takes a thirtieth of the time of a bind. What its owner writes into it all the same is nowhere.
      return ['--perms', '0555', '--tmpfs', path]
    case 'hidden':
      return ['--ro-bind', '/dev/null', path]
    case 'hidden_folder':
      return ['--perms', '0000', '--tmpfs', path]
    default:
      return unreachable(access)
  }
}
