import { expect, it } from 'vitest'
import { explainDenial } from '../../src/sandbox/denial.ts'
import type { SandboxProfile } from '../../src/sandbox/profile.ts'

const profile: SandboxProfile = {
  mode: 'workspace-write',
  network: false,
  writable: ['/w'],
  protectedNames: [],
  protectedPaths: [],
  hidden: [],
  temp: '/t',
  visible: [],
}

it.each([
  "touch: cannot touch '/x': Read-only file system",
  'mv: cannot move: Device or resource busy',
  'Error: EACCES: permission denied, mkdir',
  'curl: (6) Could not resolve host: example.com',
  'npm error code EAI_AGAIN',
  'ssh: connect to host x port 22: Network is unreachable',
])('SAND-221: says that the sandbox blocked it, and what can be done: %s', (output) => {
  expect(explainDenial(output, profile)).toBe(
    'blocked by sandbox, it seems: commands write only to /w, $TMPDIR and not to protected names such as .git, and reach no network. ' +
      'If it must be, call bash with sandbox: false; the user is asked',
  )
})

it('does not blame the sandbox for what it has nothing to do with', () => {
  expect(explainDenial('AssertionError: expected 1 to be 2', profile)).toBeUndefined()
  expect(explainDenial('connect ECONNREFUSED 127.0.0.1:80', { ...profile, network: true })).toBeUndefined()
})

it('says so where the sandbox itself could not be set up', () => {
  expect(explainDenial("bwrap: Can't find source path /w: No such file or directory", profile)).toBe(
    'the sandbox could not be set up; this says nothing about the command',
  )
})
