import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seccompFilter } from '../../src/sandbox/seccomp.ts'
import { createSandboxedProject, hasBubblewrap } from './sandboxed-project.ts'

/** Numbers of system calls, by the architecture that the tests run on. */
const numbers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  x64: { ptrace: 101, io_uring_setup: 425, io_uring_enter: 426, keyctl: 250, getpid: 39, socket: 41 },
  arm64: { ptrace: 117, io_uring_setup: 425, io_uring_enter: 426, keyctl: 219, getpid: 172, socket: 198 },
}
const calls = numbers[process.arch]

describe.skipIf(!hasBubblewrap || !existsSync('/usr/bin/perl') || calls === undefined)('system calls', () => {
  /** A line that prints the error number of a system call, or 0. */
  const errorOf = (name: string, ...args: readonly number[]) => {
    const call = `syscall(${[calls?.[name], ...args, 0, 0, 0, 0].slice(0, 5).join(', ')})`
    return `/usr/bin/perl -e 'print "${name} ", ${call} < 0 ? $! + 0 : 0, "\\n"'`
  }

  it('SAND-212: fail with EPERM if commands do not need them', async () => {
    const { bash } = await createSandboxedProject()
    const lines = [
      ...['ptrace', 'io_uring_setup', 'io_uring_enter', 'keyctl', 'getpid'].map((name) => errorOf(name)),
      errorOf('socket', 40, 1),
      errorOf('socket', 1, 1),
    ]
    const { stdout } = await bash(lines.join('; '))
    expect(stdout.trim().split('\n')).toEqual([
      'ptrace 1',
      'io_uring_setup 1',
      'io_uring_enter 1',
      'keyctl 1',
      'getpid 0',
      'socket 1',
      'socket 0',
    ])
  })

  it('SAND-212: fail by their x32 numbers, too', async () => {
    const { bash } = await createSandboxedProject()
    const { stdout } = await bash(`/usr/bin/perl -e 'print syscall(0x40000000 + 39) < 0 ? $! + 0 : 0'`)
    expect(stdout).toBe('1')
  })

  it('are also filtered in a nested sandbox', async () => {
    const { bash } = await createSandboxedProject()
    const nested = await bash(`bwrap --ro-bind / / ${errorOf('ptrace')} || echo no sandbox`)
    expect(['ptrace 1\n', 'no sandbox\n']).toContain(nested.stdout)
  })

  it('are filtered by a file that commands cannot replace', async () => {
    const { root } = await createSandboxedProject()
    const { bash } = await createSandboxedProject({}, { writable: [root], temp: `${root}/temp` })
    expect((await bash(`rm -rf ${root}/temp*; echo > ${root}/temp.own/seccomp`)).exitCode).toBe(1)
    expect((await bash(errorOf('ptrace'))).stdout).toBe('ptrace 1\n')
  })
})

it('an unknown architecture has no filter', () => {
  expect(seccompFilter('s390x')).toBeUndefined()
})
