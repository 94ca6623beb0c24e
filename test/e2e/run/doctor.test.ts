import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectRun } from '../../support/programs/program.ts'
import { isOneFile, openWorld } from '../../support/programs/world.ts'

/** A world without a configured server, so that none is asked for its models. */
async function openQuietWorld() {
  const world = await openWorld()
  await world.configure({})
  return world
}

/** Runs doctor. Returns its findings by topic. */
async function runDoctor(world: Awaited<ReturnType<typeof openWorld>>, env: Record<string, string> = {}) {
  const run = await world.pipe(['doctor', '--json'], { env })
  const { ok, checks } = JSON.parse(run.stdout)
  const of = (name: string) => checks.filter((one: { readonly name: string }) => one.name === name)
  return { code: run.code, ok, of, text: run.stdout }
}

it('reports what it finds, prints no key and changes nothing', async () => {
  const world = await openQuietWorld()
  const { code, ok, of, text } = await runDoctor(world, { OPENAI_API_KEY: 'sk-very-secret' })
  expect([code, ok]).toEqual([0, true])
  expect(of('settings')).toEqual([{ name: 'settings', state: 'ok', text: join(world.home, 'config.json') }])
  expect(of('keys')).toEqual([{ name: 'keys', state: 'ok', text: 'openai (OPENAI_API_KEY)' }])
  expect(of('sessions')[0].text).toBe(`${join(world.home, 'sessions')} (created when needed)`)
  expect(of('bash')[0].text).toMatch(/^GNU bash/)
  expect(text).not.toContain('very-secret')
})

it('prints one line per check as text', async () => {
  const { pipe } = await openQuietWorld()
  expectRun(await pipe(['doctor']), {
    stdout: expect.stringMatching(
      isOneFile
        ? /^✓ bun {2,}\d+\.\d+\.\d+ on linux, inside this one file\n(.+\n)+$/
        : /^✓ node {2,}\d+\.\d+\.\d+ on linux\n(.+\n)+$/,
    ),
  })
})

it('reports invalid settings as broken and exits 52', async () => {
  const world = await openWorld()
  await world.configure('{"model": 5}')
  const { code, ok, of } = await runDoctor(world)
  expect([code, ok]).toEqual([52, false])
  expect(of('settings')[0]).toMatchObject({ state: 'broken', text: expect.stringContaining('model: ') })
})

it('reports an absent sandbox as broken if the settings require it, else as missing', async () => {
  const world = await openQuietWorld()
  const only = 'mkdir -p $TMPDIR/only; ln -sf "$(command -v node)" "$(command -v bash)" $TMPDIR/only'
  const examined = async () => {
    const { code, stdout } = await world.shell(
      `${only}; p=$(command -v pipe); PATH=$TMPDIR/only "$p" doctor --json`,
    )
    const { checks } = JSON.parse(stdout)
    return [code, checks.find(({ name }: { readonly name: string }) => name === 'sandbox')]
  }
  const nowhere = { name: 'sandbox', text: 'bubblewrap (bwrap) is not installed', remedy: expect.any(String) }
  expect(await examined()).toEqual([0, { ...nowhere, state: 'missing' }])
  await world.configure({ sandbox: { mode: 'workspace-write' } })
  expect(await examined()).toEqual([52, { ...nowhere, state: 'broken' }])
})

it('reports a folder that is open to others', async () => {
  const world = await openQuietWorld()
  await mkdir(join(world.home, 'sessions'), { mode: 0o755 })
  const { code, of } = await runDoctor(world)
  expect(code).toBe(0)
  expect(of('sessions')[0]).toMatchObject({
    state: 'missing',
    text: `${join(world.home, 'sessions')} is open to others (755)`,
    remedy: `chmod 700 ${join(world.home, 'sessions')}`,
  })
})

it('reports a program that exits with an error', async () => {
  const world = await openQuietWorld()
  const fake = "mkdir bin; printf '#!/bin/sh\necho no licence >&2; exit 1\n' > bin/git; chmod +x bin/git"
  await world.shell(`cd "$HOME"; ${fake}`)
  const { stdout } = await world.shell('PATH="$HOME/bin:$PATH" pipe doctor --json')
  const { ok, checks } = JSON.parse(stdout)
  expect(ok).toBe(true)
  expect(checks.find(({ name }: { readonly name: string }) => name === 'git')).toEqual({
    name: 'git',
    state: 'missing',
    text: 'git --version exited with 1 (no licence): nothing can be undone',
    remedy: 'repair or reinstall git',
  })
})

it('names skills, files of skills that cannot be used, and those that wait for trust', async () => {
  const world = await openQuietWorld()
  await world.put('.git/HEAD', '')
  await world.put('.claude/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies up\n---\nTidy.')
  await world.put('.claude/skills/empty/SKILL.md', '')
  const untrusted = await runDoctor(world)
  expect(untrusted.of('skills')).toEqual([
    {
      name: 'skills',
      state: 'missing',
      text: 'the skills of this project take effect once you trust it: run pipe trust',
    },
  ])
  await world.pipe(['trust'])
  const { code, of } = await runDoctor(world)
  expect([code, of('skills')]).toEqual([
    0,
    [
      { name: 'skills', state: 'ok', text: 'tidy' },
      { name: 'skills', state: 'missing', text: expect.stringContaining('/empty/SKILL.md') },
    ],
  ])
})
