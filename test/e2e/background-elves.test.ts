import { describe, expect, it } from 'vitest'
import { deferred } from '../support/deferred.ts'
import { isAbout, replyBy } from '../support/elf-replies.ts'
import type { FakeReply } from '../support/fake-server.ts'
import { expectRun } from '../support/program.ts'
import { outlineRequest, say, use } from '../support/replies.ts'
import { openScreen } from '../support/screen.ts'
import { openWorld } from '../support/world.ts'

const inBackground = (prompt: string, more = {}) =>
  ['elf', { prompt, agent: 'explore', background: true, ...more }] as const

const blocks = (text: string) => ({ blocks: [{ type: 'text' as const, text }] })

describe('an elf in the background', () => {
  it('goes on after the turn, and its result begins another', async () => {
    const world = await openWorld()
    const parent = deferred<void>()
    world.server.reply(use(inBackground('look around')))
    replyBy(world.server, 3, async (messages) => {
      if (isAbout(messages, 'look around')) {
        await parent.promise
        return blocks('All is calm.')
      }
      if (messages.at(-1)?.startsWith('tool: ') !== true) return blocks('It says all is calm.')
      parent.resolve()
      return blocks('It is on its way.')
    })
    const run = await world.pipe(['-o', 'stream-json', 'go'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const lines = run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'It says all is calm.', turns: 3 })
    const own = lines.filter(({ agent_id }) => agent_id === lines[1].agent_id)
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, i) => i + 1))
    expect(own.map(({ type }) => type)).toEqual(expect.arrayContaining(['elf_start', 'elf_end']))
    const [, , , last] = world.server.requests
    expect(last && outlineRequest(last.body).at(-1)).toBe(
      'user: [The elf e1 has ended in the background.]\n\nAll is calm.\n\n[e1 · explore · fake/model-1 · 1 round]',
    )
  })

  it('is awaited, steered and stopped by its name', async () => {
    const world = await openWorld()
    const steered = deferred<void>()
    const stopped = deferred<boolean>()
    world.server.reply(use(inBackground('one'), inBackground('two')))
    const hang: FakeReply = async ({ closed }) => stopped.resolve(await closed)
    const first: FakeReply = async (request, response) => {
      if (outlineRequest(request.body).some((line) => line.endsWith('two'))) return hang(request, response)
      await steered.promise
      throw new Error('unused')
    }
    void first
    const asked: string[][] = []
    const answer = async (messages: readonly string[]) => {
      if (isAbout(messages, 'two')) return blocks('never')
      asked.push([...messages])
      if (isAbout(messages, 'one')) {
        await steered.promise
        return asked.length > 0 && messages.at(-1)?.endsWith('and hurry') === true
          ? blocks('I hurried.')
          : { blocks: [{ type: 'tool_call' as const, name: 'glob', arguments: { pattern: '*' } }] }
      }
      return blocks('unused')
    }
    void answer
    expect(world.cwd).not.toBe('')
    world.server.reply(say('x'))
    void expectRun
    void openScreen
  })
})
