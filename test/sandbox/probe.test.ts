import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'
import { closedProfile } from './profile.ts'

/** A sandbox on a machine whose `bwrap` is this script. */
async function sandboxWith(
  script: string | undefined,
  more: { platform?: string; writable?: boolean; temp?: string } = {},
) {
  const root = await folderWith({ 'bin/other': '', ...(script === undefined ? {} : { 'bin/bwrap': script }) })
  const bin = join(root, 'bin')
  if (script !== undefined) await chmod(join(bin, 'bwrap'), 0o755)
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(() => commands.close())
  return openSandbox({
    commands,
    clock: systemClock,
    profile: {
      ...closedProfile,
      writable: more.writable === true ? [root] : [],
      temp: more.temp ?? join(root, 'temp'),
    },
    platform: more.platform ?? 'linux',
    arch: process.arch,
    path: bin,
  })
}

const missing = {
  works: false,
  reason: 'bubblewrap (bwrap) is not installed',
  remedy: 'install it: apt install bubblewrap (or dnf, pacman, zypper, apk add bubblewrap)',
}

it('reports a missing bwrap, or one that commands could have planted', async () => {
  expect(await (await sandboxWith(undefined)).check()).toEqual(missing)
  expect(await (await sandboxWith('#!/bin/sh\n', { writable: true })).check()).toEqual(missing)
})

it('tries only once', async () => {
  const sandbox = await sandboxWith('#!/bin/sh\n[ ! -e "$0.ran" ] && : > "$0.ran"\n')
  expect(await sandbox.check()).toMatchObject({ works: true })
  expect(await sandbox.check()).toMatchObject({ works: true })
})

it('tries again if the temporary folder could not be made', async () => {
  const blocked = join(await folderWith({ blocked: '' }), 'blocked')
  const sandbox = await sandboxWith('#!/bin/sh\n', { temp: join(blocked, 'temp') })
  expect(await thrown(() => sandbox.check())).toMatchObject({ code: 'not_found' })
  await rm(blocked)
  expect(await sandbox.check()).toMatchObject({ works: true })
})

it.each([
  ['bwrap: No permissions to create new namespace, likely because …', /cannot create namespaces here/],
  ['bwrap: setting up uid map: Permission denied', /apparmor_restrict_unprivileged_userns/],
  ['bwrap: Creating new namespace failed: Operation not permitted', /inside another sandbox/],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /In a container/],
  ['bwrap: Unknown option --perms', /0\.5 or newer/],
  ['bwrap: something else', /--sandbox off/],
])('returns why it does not work, and what helps: %s', async (said, remedy) => {
  const sandbox = await sandboxWith(`#!/bin/sh\necho "${said}" >&2\nexit 1\n`)
  expect(await sandbox.check()).toEqual({ works: false, reason: said, remedy: expect.stringMatching(remedy) })
  const program = { file: 'true', args: [], cwd: '/', env: {} }
  await expect(sandbox.commands.start(program)).rejects.toMatchObject({
    code: 'sandbox',
    details: { reason: said },
  })
})

it('does not work on other systems', async () => {
  expect(await (await sandboxWith(undefined, { platform: 'freebsd' })).check()).toMatchObject({
    works: false,
  })
})
