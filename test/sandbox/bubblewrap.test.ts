import { expect, it } from 'vitest'
import { inBubblewrap } from '../../src/sandbox/bubblewrap.ts'

const program = { file: 'ls', args: ['-l'], cwd: '/w', env: { A: '1' } }
const profile = { network: false, temp: '/t/tmp', visible: ['/tmp/pipe-1/spill'] }

/** The arguments from the mount of `/tmp` on. */
function mounts(accesses: Parameters<typeof inBubblewrap>[1]['accesses'], cwd = '/w'): string {
  const { args } = inBubblewrap({ ...program, cwd }, { file: '/bin/bwrap', profile, accesses })
  return args.slice(args.indexOf('/t/tmp') - 1).join(' ')
}

it('runs the program in its folder and keeps its environment', () => {
  const { file, cwd, env, args } = inBubblewrap(program, { file: '/bin/bwrap', profile, accesses: new Map() })
  expect({ file, cwd, env }).toEqual({ file: '/bin/bwrap', cwd: '/w', env: { A: '1', TMPDIR: '/tmp' } })
  expect(args).toContain('--unshare-net')
  expect(args.slice(args.indexOf('--chdir'))).toEqual(['--chdir', '/w', '--', 'ls', '-l'])
})

it("shows the resolver's settings, but not its socket, which could leak data in names", () => {
  const { args } = inBubblewrap(program, { file: 'b', profile, accesses: new Map() })
  const seen = args.filter((word) => word.startsWith('/run/systemd/resolve'))
  expect(new Set(seen)).toEqual(
    new Set(['/run/systemd/resolve/resolv.conf', '/run/systemd/resolve/stub-resolv.conf']),
  )
})

it('hides paths only if they are visible, and creates none in replaced folders', () => {
  const accesses = new Map([
    ['/home/keys', 'hidden_folder'],
    ['/home/s', 'hidden'],
    ['/run/docker.sock', 'hidden'],
    ['/tmp/a/project', 'write'],
    ['/tmp/a/agent', 'hidden'],
    ['/tmp/b/agent', 'hidden'],
  ] as const)
  const { args } = inBubblewrap(program, { file: 'b', profile, accesses })
  expect(args.filter((_, i) => args[i - 1] === '/dev/null')).toEqual(['/home/s', '/tmp/a/agent'])
  expect(args.join(' ')).toContain(' --perms 0000 --tmpfs /home/keys ')
  expect(args).not.toContain('/tmp/b')
})

it('opens the seccomp filter in a shell that bubblewrap replaces', () => {
  const filter = '/t/filter'
  const { file, args } = inBubblewrap(program, { file: '/bin/bwrap', profile, accesses: new Map(), filter })
  expect([file, ...args.slice(0, 4)]).toEqual(['/bin/sh', '-c', 'exec 9<"$0" "$@"', filter, '/bin/bwrap'])
  expect(args[args.indexOf('--seccomp') + 1]).toBe('9')
})

it("shares the machine's network if that is allowed", () => {
  const open = { ...profile, network: true }
  expect(inBubblewrap(program, { file: 'b', profile: open, accesses: new Map() }).args).not.toContain(
    '--unshare-net',
  )
})

it('mounts visible folders of /tmp read-only, then writable paths, then protected ones', () => {
  const accesses = new Map([
    ['/tmp/a/project', 'write'],
    ['/tmp/a/project/.git', 'read'],
    ['/tmp/a/project/.npmrc', 'empty_file'],
    ['/tmp/a/project/.pipe', 'empty_folder'],
  ] as const)
  expect(mounts(accesses, '/tmp/a/project')).toBe(
    [
      '--bind /t/tmp /tmp',
      '--ro-bind-try /tmp/a /tmp/a',
      '--ro-bind-try /tmp/pipe-1 /tmp/pipe-1',
      '--bind /tmp/a/project /tmp/a/project',
      '--ro-bind /tmp/a/project/.git /tmp/a/project/.git',
      '--ro-bind /tmp/a/project/.npmrc /tmp/a/project/.npmrc',
      '--perms 0555 --tmpfs /tmp/a/project/.pipe',
      '--chdir /tmp/a/project -- ls -l',
    ].join(' '),
  )
})

it('mounts a writable root first, so that it covers no other mount', () => {
  const accesses = new Map([['/', 'write']] as const)
  const { args } = inBubblewrap(program, { file: '/bin/bwrap', profile, accesses })
  const at = args.indexOf('/')
  expect(args.slice(at - 1, at + 4)).toEqual(['--bind', '/', '/', '--dev', '/dev'])
  expect(args.lastIndexOf('/')).toBe(at + 1)
})
