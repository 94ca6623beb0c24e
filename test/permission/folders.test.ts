import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PermissionMode } from '../../src/permission.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

async function judge(command: string, rules: RuleLists, mode: PermissionMode = 'default', cwd?: string) {
  const policy = testPolicy({ rules, mode, ...(cwd === undefined ? {} : { cwd }) })
  return (await policy.judge(callOf('bash', { command }))).behavior
}

describe('a line that changes to a folder named by a glob', () => {
  it.each([
    'cd sec* && cat key',
    'cd ?ecrets && head key',
    'cd "sec"* && grep -n x key',
    'cd secret[s]/ && cat < key',
    'cd secre{ts,t} && cat key',
    'pushd sec* && cat key',
  ])('reads nothing without a question: %s', async (command) => {
    expect(await judge(command, { deny: ['Read(secrets/**)'] })).not.toBe('allow')
    expect(await judge(command, { deny: ['Read(secrets/**)'] }, 'bypass')).not.toBe('allow')
    expect(await judge(command, {})).toBe('ask')
  })

  it.each([
    'cd sr* && echo x > x.js',
    'cd sr* && rm x.js',
    'cd sr?; cp /tmp/f x.js',
    'cd sr* && tee x.js < a',
  ])('changes nothing that a rule forbids: %s', async (command) => {
    expect(await judge(command, { deny: ['Edit(src/**)'] }, 'bypass')).not.toBe('allow')
  })

  it('follows no link out of the project', async () => {
    const root = await folderWith({ 'outside/key': 'k' })
    await mkdir(join(root, 'project', 'sub'), { recursive: true })
    await symlink(join(root, 'outside', 'key'), join(root, 'project', 'sub', 'notes.txt'))
    await writeFile(join(root, 'project', 'sub', 'own.txt'), 'o')
    for (const folder of ['su*', 'sub']) {
      const command = `cd ${folder} && cat notes.txt`
      expect(await judge(command, {}, 'default', join(root, 'project'))).toBe('ask')
    }
    expect(await judge('cd sub && cat own.txt', {}, 'default', join(root, 'project'))).toBe('allow')
  })
})

describe("a line that names files in a way of its program's own", () => {
  it.each([
    'LANGUAGE=../../../../tmp/p/evil LC_ALL=C.UTF-8 ls nosuch',
    'LANGUAGE=en:/tmp/evil ls nosuch',
    'TZ=:/etc/shadow date',
    'LANGUAGE=de:~/evil ls nosuch',
    'strings @/etc/shadow',
    'strings -n 3 @keys',
  ])('asks: %s', async (command) => {
    expect(await judge(command, {})).toBe('ask')
  })

  it.each([
    'LC_ALL=C.UTF-8 sort a',
    'LANGUAGE=de:en ls',
    'TZ=Europe/Berlin date',
    'TZ=UTC date',
    'strings -n 3 a',
  ])('does not ask if the value names no file: %s', async (command) => {
    expect(await judge(command, {})).toBe('allow')
  })
})
