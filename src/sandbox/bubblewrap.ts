import type { Program } from '../command.ts'
import { unreachable } from '../error.ts'
import { type Access, type Accesses, isWithin } from './access.ts'
import type { SandboxProfile } from './profile.ts'

/** Of its own: users, processes, IPC, host name; it dies with who started it and can gain no privileges. */
const isolation = [
  ...['--new-session', '--die-with-parent', '--unshare-user-try', '--unshare-pid', '--unshare-ipc'],
  ...['--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
]

/** `/run` holds the sockets of services that would do outside what is asked of them (Docker, D-Bus): only this of it is seen. */
const seenOfRun = [
  '/run/current-system',
  '/run/opengl-driver',
  '/run/systemd/resolve',
  '/run/NetworkManager/resolv.conf',
  '/run/resolvconf',
]

export interface BubblewrapOptions {
  /** The `bwrap` program. */
  readonly file: string
  readonly profile: Pick<SandboxProfile, 'network' | 'temp' | 'visible'>
  readonly accesses: Accesses
}

/** The same program inside bubblewrap (0.5 or newer). Folders of `/tmp` in which something is to be seen are read-only there. */
export function inBubblewrap(program: Program, { file, profile, accesses }: BubblewrapOptions): Program {
  const { cwd, env } = program
  const root = accesses.get('/') === 'write' ? '--bind' : '--ro-bind'
  const inTmp = new Set([cwd, ...accesses.keys(), ...profile.visible].flatMap(firstOfTmp))
  const args = [
    ...isolation,
    ...(profile.network ? [] : ['--unshare-net']),
    ...[root, '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...seenOfRun.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--bind', profile.temp, '/tmp'],
    ...[...inTmp].flatMap((path) => ['--ro-bind-try', path, path]),
    // Mounted once more, the root would cover all that came before.
    ...[...accesses].filter(([path]) => path !== '/').flatMap(mount),
    ...['--chdir', cwd, '--', program.file, ...program.args],
  ]
  return { file, args, cwd, env: { ...env, TMPDIR: '/tmp' } }
}

function firstOfTmp(path: string): readonly string[] {
  const [first] = path.slice('/tmp/'.length).split('/')
  return isWithin(path, '/tmp') && path !== '/tmp' ? [`/tmp/${first}`] : []
}

function mount([path, access]: readonly [string, Access]): readonly string[] {
  switch (access) {
    case 'write':
      return ['--bind', path, path]
    case 'frozen':
    case 'read':
      return ['--ro-bind', path, path]
    case 'empty_folder':
      // Takes a thirtieth of the time of a bind. What its owner writes into it all the same is nowhere.
      return ['--perms', '0555', '--tmpfs', path]
    case 'empty_file':
    case 'hidden':
      return ['--ro-bind', '/dev/null', path]
    default:
      return unreachable(access)
  }
}
