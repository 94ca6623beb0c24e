import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'
import { elf, fail, git, openWork, write } from './elf-work-setup.ts'

describe('the work of an elf that changes files', () => {
  it('is done without the files of submodules, of which the user and the elf are told', async () => {
    const world = await openWork()
    const allowed = ['-c', 'protocol.file.allow=always', '-c', 'user.name=a', '-c', 'user.email=a@b']
    git(world, ...allowed, 'clone', '-q', '.', '../lib')
    git(world, ...allowed, 'submodule', '-q', 'add', '../lib', 'vendor/lib')
    git(world, ...allowed, 'commit', '-qm', 'second')
    world.server.reply(elf('make a file'), write, say('Made.'), say('Done.'))
    expectRun(await world.pipe(['--permission-mode', 'accept-edits', 'go']), {
      stdout: 'Done.\n',
      stderr: 'pipe: submodules without files in worktrees: "vendor/lib/"\n',
    })
    const [first, second] = world.server.requests.map(({ body }) => JSON.stringify(body.messages))
    expect(first).not.toContain('submodules without files')
    expect(second).toContain('submodules without files here: \\"vendor/lib/\\"')
    expect([world.has('made.txt'), world.has('vendor/lib/a.txt')]).toEqual([true, true])
  })

  it('is kept apart under a ref where nobody can be asked', async () => {
    const world = await openWork()
    world.server.reply(elf('make a file'), write, say('Made.'), say('Done.'))
    expectRun(await world.pipe(['go']), { stdout: 'Done.\n' })
    expect(world.has('made.txt')).toBe(false)
    const [ref = ''] =
      git(world, 'for-each-ref', '--format=%(refname)', 'refs/pipe/elves').match(/\S+/g) ?? []
    expect(world.lastResult()).toContain(
      `Its changes are not in the user's files; ${ref} keeps them: made.txt`,
    )
    git(world, '-c', 'user.name=a', '-c', 'user.email=a@b', 'cherry-pick', '-n', ref)
    expect(world.read('made.txt')).toBe('by the elf\n')
  })

  it('is shown as one diff before it is merged, with the name of the elf', async () => {
    const world = await openWork()
    world.server.reply(elf('make a file'), write, say('Made.'), say('Done.'))
    const screen = openScreen(world, 'pipe go', { columns: 100, rows: 40 })
    await screen.until(/Use e1's changes to 1 file\?[\s\S]*made\.txt[\s\S]*\+by the elf[\s\S]*>$/)
    screen.type('y\r')
    await screen.until(/Done\./)
    expect(await screen.ended).toBe(0)
    expect(world.read('made.txt')).toBe('by the elf\n')
  })

  it('stays apart if it touches what a rule protects, whatever the mode', async () => {
    const world = await openWork()
    await world.configure({
      ...JSON.parse(readFileSync(join(world.home, 'config.json'), 'utf8')),
      permissions: { deny: ['Edit(secret/**)'] },
    })
    world.server.reply(
      elf('change the key'),
      // A path that is written out would be refused before it runs.
      use([
        'bash',
        { command: `node -e "fs.writeFileSync('sec' + 'ret/key.txt', 'changed')"; echo > made.txt` },
      ]),
      say('Tried.'),
      say('Done.'),
    )
    expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    expect([world.read('secret/key.txt'), world.has('made.txt')]).toEqual(['key\n', false])
    expect(world.lastResult()).toContain('Permission denied: secret/key.txt: Edit(secret/**) forbids it')
  })

  it('is left out where the user changed the same lines, with the conflict named', async () => {
    const world = await openWork()
    world.server.reply(
      use(['elf', { prompt: 'change two' }]),
      use(['read', { path: 'a.txt' }]),
      async (_, response) => {
        await world.put('a.txt', 'one\n2\nthree\n')
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(replyOf(use(['edit', { path: 'a.txt', old_text: 'two', new_text: 'TWO' }])))
      },
      say('Changed.'),
      say('Done.'),
    )
    expectRun(await world.pipe(['--permission-mode', 'accept-edits', 'go']), { stdout: 'Done.\n' })
    expect(world.read('a.txt')).toBe('one\n2\nthree\n')
    expect(world.lastResult()).toMatch(/In conflict: a\.txt\. refs\/pipe\/elves\/\S+ keeps the work of e1/)
  })

  it('is done in a copy outside of git', async () => {
    const world = await openWork({ bare: true })
    world.server.reply(elf('make a file'), write, say('Made.'), say('Done.'))
    expectRun(await world.pipe(['--permission-mode', 'accept-edits', 'go']), { stdout: 'Done.\n' })
    expect(world.lastResult()).toContain('made.txt +1 −0.')
    expect(world.read('made.txt')).toBe('by the elf\n')
  })
})

function replyOf(reply: ReturnType<typeof use>): string {
  return 'blocks' in reply ? replyEvents(reply.blocks).join('') : fail()
}
