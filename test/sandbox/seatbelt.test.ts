import { expect, it } from 'vitest'
import type { SandboxProfile } from '../../src/sandbox/profile.ts'
import { inSeatbelt, seatbeltProfile } from '../../src/sandbox/seatbelt.ts'
import { closedProfile } from './profile.ts'

const profile = { ...closedProfile, temp: '/private/t' }

/** The rules after the foundation. */
function rules(accesses: Parameters<typeof seatbeltProfile>[1], more: Partial<SandboxProfile> = {}) {
  const text = seatbeltProfile({ ...profile, ...more }, accesses)
  return text.slice(text.indexOf('(allow file-write* (subpath')).split('\n')
}

it('runs the program under sandbox-exec with its own temporary folder', () => {
  const program = { file: 'ls', args: ['-l'], cwd: '/w', env: { A: '1' } }
  const accesses = new Map([['/w', 'write' as const]])
  expect(inSeatbelt(program, { file: '/usr/bin/sandbox-exec', profile, accesses })).toEqual({
    file: '/usr/bin/sandbox-exec',
    args: ['-p', seatbeltProfile(profile, accesses), '--', 'ls', '-l'],
    cwd: '/w',
    env: { A: '1', TMPDIR: '/private/t' },
  })
})

it('puts protected paths after their folders, in any letter case', () => {
  const accesses = new Map([
    ['/w "x"', 'write'],
    ['/w "x"/.git', 'read'],
    ['/w "x"/.pipe', 'empty_folder'],
    ['/home/auth.json', 'hidden'],
    ['/home/keys', 'hidden_folder'],
  ] as const)
  expect(rules(accesses)).toEqual([
    '(allow file-write* (subpath "/private/t"))',
    '(allow file-write* (subpath "/w \\"x\\""))',
    '(deny file-write-unlink (literal "/w \\"x\\""))',
    String.raw`(deny file-write* (regex "^/[wW] \\\"[xX]\\\"/\\.[gG][iI][tT](/|$)"))`,
    String.raw`(deny file-write* (regex "^/[wW] \\\"[xX]\\\"/\\.[pP][iI][pP][eE](/|$)"))`,
    '(deny file-read* file-write* (literal "/home/auth.json"))',
    '(deny file-read* file-write* (subpath "/home/keys"))',
  ])
})

it('closes the network unless it is allowed', () => {
  expect(seatbeltProfile(profile, new Map())).not.toContain('(allow network')
  expect(seatbeltProfile({ ...profile, network: true }, new Map())).toContain('(allow network*)')
})

it('refuses a path that a profile cannot hold', () => {
  expect(() => rules(new Map([['/a\nb', 'write']]))).toThrow(/rename it/)
})
