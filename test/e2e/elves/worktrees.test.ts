import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'

/** A repository with a commit, and a worktree of it beside it. */
async function openRepository() {
  const world = await openWorld()
  const git = 'git -c user.name=A -c user.email=a@b.c'
  await world.shell(
    `git init -q -b main && ${git} commit -q --allow-empty -m one && git worktree add -q ../tree`,
  )
  const tree = join(dirname(world.cwd), 'tree')
  /** Has the model run git in a folder. Returns what the model and the first request got. */
  const ask = async (cwd: string) => {
    world.server.reply(use(['bash', { command: 'git status --porcelain' }]), say('Done.'))
    const before = world.server.requests.length
    expectRun(await world.pipe(['go'], { cwd }), { stdout: 'Done.\n', stderr: expect.any(String) })
    const [first, second] = world.server.requests.slice(before)
    return { prompt: JSON.stringify(first?.body), result: second === undefined ? '' : lastText(second.body) }
  }
  return { ...world, tree, ask }
}

const untrusted = expect.stringContaining('the folder is not trusted')

describe('a worktree', () => {
  it('shares trust and memories with the main one', async () => {
    const { pipe, cwd, tree, ask } = await openRepository()
    expect((await ask(tree)).result).toEqual(untrusted)
    await pipe(['trust'])
    await pipe(['memory', 'add', 'tests need a database'])
    const { prompt, result } = await ask(tree)
    expect(result).toBe('tool: (no output)')
    expect(prompt).toContain('tests need a database')
    const inTree = (args: readonly string[]) => pipe(args, { cwd: tree })
    expect((await inTree(['memory', 'path'])).stdout).toBe((await pipe(['memory', 'path'])).stdout)
    expectRun(await inTree(['trust', 'remove']), { stdout: `forgotten: ${cwd}\n` })
    expect((await ask(cwd)).result).toEqual(untrusted)
  })

  it('that the user trusts makes all of them trusted, and the answer says so', async () => {
    const { pipe, cwd, tree, ask } = await openRepository()
    expectRun(await pipe(['trust'], { cwd: tree }), { stdout: `trusted: ${cwd} and all its worktrees\n` })
    expect((await ask(cwd)).result).toBe('tool: (no output)')
  })

  slowIt('keeps the decision and the memories that it had of its own', async () => {
    const { pipe, home, cwd, tree, ask } = await openRepository()
    const at = '2026-01-01T00:00:00.000Z'
    const folders = {
      [cwd]: { trusted: true, at, contents: [] },
      [tree]: { trusted: false, at, contents: [] },
    }
    writeFileSync(join(home, 'trust.json'), JSON.stringify({ version: 1, folders }), { mode: 0o600 })
    expect((await ask(tree)).result).toEqual(untrusted)
    const git = readFileSync(join(tree, '.git'))
    writeFileSync(join(tree, '.git'), 'gitdir: /nowhere\n')
    await pipe(['memory', 'add', 'an old one'], { cwd: tree })
    const { stdout: old } = await pipe(['memory', 'path'], { cwd: tree })
    writeFileSync(join(tree, '.git'), git)
    await pipe(['memory', 'add', 'a new one'], { cwd: tree })
    const { memories } = JSON.parse((await pipe(['memory', '--json'], { cwd: tree })).stdout)
    expect(memories.map(({ text }: { text: string }) => text)).toEqual(['a new one', 'an old one'])
    const [, { id }] = memories
    expect((await pipe(['memory', 'show', id], { cwd: tree })).stdout).toContain(`file: ${old}`)
    expectRun(await pipe(['memory', 'forget', id, '-y'], { cwd: tree }), {
      stdout: `forgotten: ${id}  an old one\n`,
    })
    expect(readFileSync(old.trim(), 'utf8')).not.toContain('an old one')
  })
})

it('a folder that claims to be a worktree of a trusted repository gets no trust and no memories', async () => {
  const { pipe, cwd, tree, ask, home } = await openRepository()
  await pipe(['trust'])
  await pipe(['memory', 'add', 'tests need a database'])
  const evil = join(dirname(cwd), 'evil')
  await mkdir(evil)
  copyFileSync(join(tree, '.git'), join(evil, '.git'))
  const { prompt, result } = await ask(evil)
  expect(result).toEqual(untrusted)
  expect(prompt).not.toContain('tests need a database')
  const { stdout } = await pipe(['memory', 'path'], { cwd: evil })
  expect(stdout).toMatch(/\/evil-\w{16}\/MEMORY\.md\n$/)
  expect(existsSync(stdout.trim())).toBe(false)
  await pipe(['trust'], { cwd: evil })
  const { folders } = JSON.parse(readFileSync(join(home, 'trust.json'), 'utf8'))
  expect(Object.keys(folders)).toEqual([cwd, evil])
})

it('a clone of a trusted repository gets no trust and no memories', async () => {
  const { pipe, cwd, shell, ask } = await openRepository()
  await pipe(['trust'])
  await pipe(['memory', 'add', 'tests need a database'])
  await shell('git clone -q . ../clone')
  const { prompt, result } = await ask(join(dirname(cwd), 'clone'))
  expect(result).toEqual(untrusted)
  expect(prompt).not.toContain('tests need a database')
})
