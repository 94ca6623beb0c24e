import { expect, it } from 'vitest'
import { explainDenial } from '../../src/sandbox/denial.ts'
import { closedProfile } from './profile.ts'

const profile = { ...closedProfile, writable: ['/w'] }

it.each([
  "touch: cannot touch '/x': Read-only file system",
  'mv: cannot move: Device or resource busy',
  'Error: EACCES: permission denied, mkdir',
  'curl: (6) Could not resolve host: example.com',
  'npm error code EAI_AGAIN',
  'ssh: connect to host x port 22: Network is unreachable',
])('SAND-221: says that the sandbox blocked it, and what can be done: %s', (output) => {
  expect(explainDenial(output, true, profile)).toBe(
    'blocked by sandbox, it seems: commands write only to /w, $TMPDIR and not to protected names such as .git, and reach no network. ' +
      'If it must be, call bash with sandbox: false; the user is asked',
  )
})

it('does not blame the sandbox for what it has nothing to do with', () => {
  expect(explainDenial('AssertionError: expected 1 to be 2', true, profile)).toBeUndefined()
  expect(
    explainDenial('connect ECONNREFUSED 127.0.0.1:80', true, { ...profile, network: true }),
  ).toBeUndefined()
})

it('says so where the sandbox itself could not be set up', () => {
  expect(explainDenial("bwrap: Can't find source path /w: No such file or directory", true, profile)).toBe(
    'the sandbox could not be set up; this says nothing about the command',
  )
})

it('of a command that did well, says so only where nothing else is likely', () => {
  const denied = 'bash: line 1: /outside: Read-only file system\na.txt\n'
  expect(explainDenial(denied, false, profile)).toBe(explainDenial(denied, true, profile))
  expect(explainDenial("Error: EROFS: read-only file system, open '/x'", false, profile)).toMatch(/^blocked/)
  for (const text of [
    'log: permission denied\n',
    'a Read-only file system is one that\n',
    'connection refused\n',
  ]) {
    expect([text, explainDenial(text, false, profile)]).toEqual([text, undefined])
  }
})
