import { expect, it } from 'vitest'
import { explainDenial } from '../../src/sandbox/sandbox-denial.ts'
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
  expect(explainDenial(output, 'failed', profile)).toBe(
    'probably blocked by the sandbox: commands write only to /w, $TMPDIR and not to protected names such as .git, and reach no network. ' +
      'If necessary, call bash with sandbox: false; the user is asked',
  )
})

it('does not blame the sandbox for unrelated output', () => {
  expect(explainDenial('AssertionError: expected 1 to be 2', 'failed', profile)).toBeUndefined()
  expect(
    explainDenial('connect ECONNREFUSED 127.0.0.1:80', 'failed', { ...profile, network: true }),
  ).toBeUndefined()
})

it('reports that the sandbox itself could not be set up', () => {
  expect(
    explainDenial("bwrap: Can't find source path /w: No such file or directory", 'failed', profile),
  ).toBe('the sandbox could not be set up; this says nothing about the command')
})

it('after success, reports only output that hardly has another cause', () => {
  const denied = 'bash: line 1: /outside: Read-only file system\na.txt\n'
  expect(explainDenial(denied, 'done', profile)).toBe(explainDenial(denied, 'failed', profile))
  expect(explainDenial("Error: EROFS: read-only file system, open '/x'", 'done', profile)).toMatch(
    /^probably blocked/,
  )
  for (const text of [
    'log: permission denied\n',
    'a Read-only file system is one that\n',
    'connection refused\n',
  ]) {
    expect([text, explainDenial(text, 'done', profile)]).toEqual([text, undefined])
  }
})

it.each([
  'curl: (6) Could not resolve host: example.com\n',
  "fatal: unable to access 'https://example.com/a.git/': Could not resolve host: example.com\n",
  'npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org',
  "W: Failed to fetch http://deb.debian.org  Temporary failure resolving 'deb.debian.org'",
])('after success, reports output that only a missing network causes: %s', (output) => {
  expect(explainDenial(output, 'done', profile)).toBe(explainDenial(output, 'failed', profile))
  expect(explainDenial(output, 'done', profile)).toMatch(
    /^probably blocked by the sandbox.* reach no network/,
  )
  expect(explainDenial(output, 'done', { ...profile, network: true })).toBeUndefined()
})

it('reports the missing network for a late command if there is none', () => {
  expect(explainDenial('', 'late', profile)).toBe(
    'commands in the sandbox have no network: if this one needs it, call bash with sandbox: false; the user is asked',
  )
  expect(explainDenial('', 'late', { ...profile, network: true })).toBeUndefined()
})
