import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

describe('--record', () => {
  it('writes a script that plays the same conversation without the server', async () => {
    const { pipe, put, server } = await openWorld()
    await put('a.txt', 'the content\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('It says: the content.'))
    const said = { stdout: 'It says: the content.\n' }
    expectRun(await pipe(['--record', 'talk.json', 'what does a.txt say?']), said)
    const asked = server.requests.length
    expectRun(await pipe(['--no-session', '-m', 'replay/talk.json', 'and again']), said)
    expect(server.requests).toHaveLength(asked)
  })

  it.each([
    ['nowhere/talk.json', 'nowhere: no such file or folder'],
    ['a.txt/talk.json', 'a.txt: a part of the path is a file, not a folder'],
  ])('ends the run before any request if the file cannot be written: %s', async (file, reason) => {
    const { pipe, put, cwd, server } = await openWorld()
    await put('a.txt', '')
    const stderr = `pipe: cannot record into ${cwd}/${reason}\n`
    expectRun(await pipe(['--record', file, 'hi']), { code: 42, stdout: '', stderr })
    expect(server.requests).toEqual([])
  })

  it('records the replies of a fallback', async () => {
    const { pipe, server, configure } = await openWorld()
    const provider = { base_url: server.baseUrl }
    await configure({
      model: 'fake/a',
      fallback: ['spare/b'],
      providers: { fake: provider, spare: provider },
    })
    const busy = { status: 529, headers: { 'x-should-retry': 'false' }, body: '{}' }
    server.reply(busy, say('For now.'))
    const said = { stdout: 'For now.\n' }
    expectRun(await pipe(['-q', '--record', 'talk.json', 'hi']), said)
    expectRun(await pipe(['--no-session', '-m', 'replay/talk.json', 'hi']), said)
  })

  it('records a resumed conversation together with its earlier turns', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('One.'), say('Two.'))
    await pipe(['count'])
    expectRun(await pipe(['-c', '--record', 'talk.json', 'go on']), { stdout: 'Two.\n' })
    expectRun(await pipe(['-s', 'copy', '-m', 'replay/talk.json', 'count']), { stdout: 'One.\n' })
    expectRun(await pipe(['-s', 'copy', 'go on']), { stdout: 'Two.\n' })
  })
})
