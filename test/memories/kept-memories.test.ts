import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MemoryScope } from '../../src/memory/memories.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'
import { memoriesIn, options } from './files.ts'

const projectFile = 'project/MEMORY.md'

async function openFolder(files: Readonly<Record<string, string>> = {}, session?: string) {
  const folder = await folderWith(files)
  const memories = memoriesIn(folder, session)
  return {
    folder,
    memories,
    keep: (text: string, scope: MemoryScope = 'project') =>
      memories.keep(memories.draft(text, scope), options),
    text: (path = projectFile) => readFileSync(join(folder, path), 'utf8'),
  }
}

describe('kept memories', () => {
  it('are lines of a private file in a private folder, with their day and session', async () => {
    const { folder, keep, memories, text } = await openFolder({}, 'work')
    const path = join(folder, projectFile)
    const first = { id: '00000001', scope: 'project', text: 'Use pnpm', date: '2026-02-18', session: 'work' }
    expect(await keep(' Use pnpm\n')).toEqual({ memory: first, path, isNew: true })
    await keep('a\n\n- b --> c')
    await keep('Answer in French', 'user')
    expect(text()).toBe(
      '# Memories of here\n\n- Use pnpm <!-- 00000001, 2026-02-18, work -->\n- a\n\n  - b --\\> c\n  <!-- 00000002, 2026-02-18, work -->\n',
    )
    const modes = [path, join(folder, 'project')].map((one) => statSync(one).mode & 0o777)
    expect(modes).toEqual([0o600, 0o700])
    expect(memories.list()).toEqual({
      memories: [
        first,
        { ...first, id: '00000002', text: 'a\n\n- b --> c' },
        { ...first, id: '00000003', scope: 'user', text: 'Answer in French' },
      ],
      faults: [],
    })
  })

  it('are kept once', async () => {
    const { keep, text } = await openFolder({ [projectFile]: '- Use pnpm' })
    expect(await keep('Use pnpm')).toMatchObject({ isNew: false, memory: { text: 'Use pnpm' } })
    expect(text()).toBe('- Use pnpm')
    expect(await keep('Use pnpm', 'user')).toMatchObject({ isNew: true })
  })

  it('have ids of their own, and are found by the beginning of one', async () => {
    const { keep, memories } = await openFolder({
      [projectFile]: '- a <!-- 00000001 -->\n- b <!-- 00000002 -->\n- c <!-- abcdef01 -->\n',
    })
    expect((await keep('d')).memory.id).toBe('00000003')
    expect(memories.find('ABC')).toMatchObject({ text: 'c' })
    expect(await thrown(() => memories.find('0000000'))).toMatchObject({
      code: 'input',
      message: 'several ids begin with 0000000: 00000001, 00000002, 00000003',
    })
    for (const wrong of ['', 'f'])
      expect(await thrown(() => memories.find(wrong))).toMatchObject({ code: 'input' })
  })

  it('are forgotten without a change of anything else', async () => {
    const { memories, text } = await openFolder({
      [projectFile]: '# A\n\n- a\n- b <!-- 00000002 -->\n  more\n\nText\n- a\n',
      'user/MEMORY.md': '- b <!-- 00000002 -->\n',
    })
    const [, b] = memories.list().memories
    await memories.forget(b === undefined ? [] : [b, { ...b, id: 'ffffffff' }], options)
    expect(text()).toBe('# A\n\n- a\n\nText\n- a\n')
    await memories.forget([memories.find(memories.list().memories[0]?.id ?? '')], options)
    expect(text()).toBe('# A\n\n\nText\n')
    expect(text('user/MEMORY.md')).toBe('- b <!-- 00000002 -->\n')
  })

  it('are never read or written through a link, nor in anything but a file', async () => {
    const { folder, keep, memories } = await openFolder({ 'other.md': '- planted\n' })
    const path = join(folder, projectFile)
    mkdirSync(join(folder, 'project'))
    symlinkSync('../other.md', path)
    mkdirSync(join(folder, 'user/MEMORY.md'), { recursive: true })
    expect(memories.list()).toEqual({
      memories: [],
      faults: [
        `cannot read ${path}: it is a link, and pipe keeps memories in a file of its own`,
        `cannot read ${join(folder, 'user/MEMORY.md')}: it is not a regular file`,
      ],
    })
    for (const scope of ['project', 'user'] as const)
      expect(await thrown(() => keep('a', scope))).toMatchObject({ code: 'config' })
    expect(readFileSync(join(folder, 'other.md'), 'utf8')).toBe('- planted\n')
  })

  it('have a file of at most 256 KiB', async () => {
    const { folder, keep, memories, text } = await openFolder({
      [projectFile]: `- a ${'x'.repeat(262_000)}\n`,
    })
    const before = text()
    expect(await thrown(() => keep('y'.repeat(200)))).toMatchObject({
      code: 'input',
      message: expect.stringContaining('is full: it has at most 256 KiB'),
    })
    expect(text()).toBe(before)
    writeFileSync(join(folder, projectFile), 'x'.repeat(262_145))
    expect(memories.list().faults).toEqual([expect.stringContaining('it has more than 256 KiB')])
  })

  it('are refused where they would be no memory', async () => {
    const { keep, text } = await openFolder({ [projectFile]: 'See:\n```\n- a\n' })
    expect(await thrown(() => keep('b'))).toMatchObject({
      code: 'input',
      message: expect.stringContaining('ends inside a code block or comment'),
    })
    expect(text()).toBe('See:\n```\n- a\n')
  })
})
