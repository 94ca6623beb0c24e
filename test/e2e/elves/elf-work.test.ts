import { describe, expect } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { elf, git, openWork, write } from './elf-work-setup.ts'

describe('the work of an elf that changes files', () => {
  it('is done apart, and merged without a question where edits need none; undo takes it back', async () => {
    const world = await openWork()
    world.server.reply(
      elf('make a file'),
      use(
        ['write', { path: 'made.txt', content: 'by the elf\n' }],
        ['read', { path: 'b.txt' }],
        ['read', { path: 'a.txt' }],
      ),
      use(['edit', { path: 'a.txt', old_text: 'two', new_text: 'TWO' }]),
      say('Made.'),
      say('Done.'),
    )
    expectRun(await world.pipe(['--permission-mode', 'accept-edits', 'go']), { stdout: 'Done.\n' })
    expect(world.lastResult()).toBe(
      `tool: Made.

[e1 · general · fake/model-1 · 3 rounds]
Its changes are in the user's files now: a.txt +1 −1, made.txt +1 −0.`,
    )
    expect([world.read('a.txt'), world.read('made.txt')]).toEqual(['one\nTWO\nthree\n', 'by the elf\n'])
    expect(git(world, 'for-each-ref', 'refs/pipe')).toBe('')
    expect(git(world, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    expectRun(await world.pipe(['undo']), {
      stdout: 'undid: go\n  changed      a.txt\n  removed      made.txt\n',
    })
    expect([world.read('a.txt'), world.has('made.txt')]).toEqual(['one\ntwo\nthree\n', false])
  })

  slowIt('happens in the folder itself without isolation, covered by the same undo', async () => {
    const world = await openWork()
    world.server.reply(elf('make a file', { isolation: 'none' }), write, say('Made.'), say('Done.'))
    expectRun(await world.pipe(['--permission-mode', 'accept-edits', 'go']), { stdout: 'Done.\n' })
    expect(world.lastResult()).toBe('tool: Made.\n\n[e1 · general · fake/model-1 · 2 rounds]')
    expect(world.read('made.txt')).toBe('by the elf\n')
    expectRun(await world.pipe(['undo']), { stdout: 'undid: go\n  removed      made.txt\n' })
    expect(world.has('made.txt')).toBe(false)
  })
})
