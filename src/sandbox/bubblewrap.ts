import { unreachable } from '../error.ts'
import { isWithin } from '../machine/path.ts'
import type { ProgramCall } from '../machine/running-command.ts'
import { type Access, type Accesses, isHidden } from './path-access.ts'
import type { SandboxProfile } from './profile.ts'

/** Own namespaces for users, processes, IPC and host name, no privileges, and an end with the parent process. */
const isolation = [
  ...['--new-session', '--die-with-parent', '--unshare-user-try', '--unshare-pid', '--unshare-ipc'],
  ...['--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
]

/**
 * The visible parts of `/run`. Its other entries include sockets of services that act outside the sandbox: Docker, D-Bus, and the
 * resolver, which leaks data through the names it looks up.
 */
const seenOfRun = [
  '/run/current-system',
  '/run/opengl-driver',
  '/run/systemd/resolve/resolv.conf',
  '/run/systemd/resolve/stub-resolv.conf',
  '/run/NetworkManager/resolv.conf',
  '/run/resolvconf',
]

/** Kernel files that root can write even without capabilities, and that control what the kernel runs. */
const kernel = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'mtrr', 'acpi'].map((name) => `/proc/${name}`)

/** Folders that are replaced inside, so that nothing in them needs hiding. */
const replaced = ['/dev', '/run', '/tmp']

interface BubblewrapOptions {
  /** The `bwrap` program. */
  readonly file: string
  readonly profile: Pick<SandboxProfile, 'network' | 'temp' | 'visible'>
  readonly accesses: Accesses
  /** Files to mount over others, by the path of the covered file. Default: none. */
  readonly covers?: ReadonlyMap<string, string>
  /** A file with a seccomp filter. Default: none. */
  readonly filter?: string | undefined
}

/**
 * Returns the program inside bubblewrap (0.5 or newer). Visible folders in `/tmp` are read-only unless `accesses` says otherwise.
 */
export function inBubblewrap(program: ProgramCall, options: BubblewrapOptions): ProgramCall {
  const { file, profile, accesses, covers = new Map<string, string>(), filter } = options
  const { cwd, env } = program
  const isOpen = accesses.get('/') === 'write'
  const open = [...accesses].flatMap(([path, access]) => (isHidden(access) ? [] : [path]))
  const inTmp = new Set([cwd, ...open, ...profile.visible].flatMap(firstOfTmp))
  const isSeen = (path: string) =>
    !replaced.some((folder) => isWithin(path, folder)) ||
    [...inTmp, ...open].some((folder) => folder !== '/' && isWithin(path, folder))
  // Mounting `/` again would cover the mounts before it.
  const mounts = [...accesses].filter(([path, access]) => path !== '/' && (!isHidden(access) || isSeen(path)))
  const args = [
    ...isolation,
    ...(profile.network ? [] : ['--unshare-net']),
    ...[isOpen ? '--bind' : '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    // Normally read-only with the root, but these may hold mounts of their own.
    ...[...kernel, ...(isOpen ? ['/sys'] : []), ...seenOfRun].flatMap((path) => [
      '--ro-bind-try',
      path,
      path,
    ]),
    ...['--bind', profile.temp, '/tmp'],
    ...[...inTmp].flatMap((path) => ['--ro-bind-try', path, path]),
    // A bind gets slower with every mount before it, and private folders hold no further mounts, so they come last.
    ...mounts.filter(([, access]) => !isOwnFolder(access)).flatMap(mount),
    ...[...covers].filter(([path]) => isSeen(path)).flatMap(([path, source]) => ['--ro-bind', source, path]),
    ...mounts.filter(([, access]) => isOwnFolder(access)).flatMap(mount),
    ...(filter === undefined ? [] : ['--seccomp', '9']),
    ...['--chdir', cwd, '--', program.file, ...program.args],
  ]
  const inside = { cwd, env: { ...env, TMPDIR: '/tmp' } }
  if (filter === undefined) return { file, args, ...inside }
  // Bubblewrap reads the filter from a descriptor. A shell opens it and is then replaced by the program.
  return { file: '/bin/sh', args: ['-c', 'exec 9<"$0" "$@"', filter, file, ...args], ...inside }
}

function firstOfTmp(path: string): readonly string[] {
  const [first] = path.slice('/tmp/'.length).split('/')
  return isWithin(path, '/tmp') && path !== '/tmp' ? [`/tmp/${first}`] : []
}

/** Whether the path is mounted as an empty private folder. */
function isOwnFolder(access: Access): boolean {
  return access === 'empty_folder' || access === 'hidden_folder'
}

function mount([path, access]: readonly [string, Access]): readonly string[] {
  switch (access) {
    case 'write':
      return ['--bind', path, path]
    case 'frozen':
    case 'read':
    // Binds the placeholder itself: `/dev/null` in its place could not be opened.
    case 'empty_file':
      return ['--ro-bind', path, path]
    case 'empty_folder':
      // Takes a thirtieth of the time of a bind. Anything that its owner still writes into it is lost.
      return ['--perms', '0555', '--tmpfs', path]
    case 'hidden':
      return ['--ro-bind', '/dev/null', path]
    case 'hidden_folder':
      return ['--perms', '0000', '--tmpfs', path]
    default:
      return unreachable(access)
  }
}
