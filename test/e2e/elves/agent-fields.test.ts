import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { blocks, calls, isAbout, replyBy } from '../../support/models/elf-replies.ts'
import { lastText, outlineRequest, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** Opens a world whose user has an agent `a` with this field. */
async function withField(field: string): Promise<World> {
  const world = await openWorld()
  await mkdir(join(world.home, 'agents'), { recursive: true })
  await writeFile(join(world.home, 'agents/a.md'), `---\nname: a\ndescription: b\n${field}\n---\nBe it.\n`)
  return world
}

it('initialPrompt stands before the first message of a run, and attaches nothing', async () => {
  const world = await withField('initialPrompt: Begin with @secret.txt')
  await world.put('secret.txt', 'hidden words')
  world.server.reply(say('Done.'))
  expectRun(await world.pipe(['--agent', 'a', 'go']), { stdout: 'Done.\n' })
  const [first = ''] = world.server.requests.map(({ body }) => lastText(body))
  expect(first).toMatch(/Begin with @secret\.txt\s+go$/)
  expect(first).not.toContain('hidden words')
})

it('initialPrompt stands at the beginning of a conversation alone, not where it goes on', async () => {
  const world = await withField('initialPrompt: Begin here')
  world.server.reply(say('One.'), say('Two.'), say('Three.'))
  await world.pipe(['--agent', 'a', 'first'])
  await world.pipe(['-c', '--agent', 'a', 'second'])
  const [, second] = world.server.requests
  expect(JSON.stringify(second?.body).split('Begin here')).toHaveLength(2)
  expect(second === undefined ? '' : lastText(second.body)).not.toContain('Begin here')
  await world.pipe(['--agent', 'a', 'anew'])
  expect(JSON.stringify(world.server.requests[2]?.body)).toContain('Begin here')
})

it('initialPrompt says nothing to an elf', async () => {
  const world = await withField('initialPrompt: Begin here')
  replyBy(world.server, 3, (messages) => {
    if (isAbout(messages, 'work')) return blocks('Worked.')
    const isOver = messages.at(-1)?.startsWith('tool: ') === true
    return isOver ? blocks('Done.') : calls(['elf', { prompt: 'work', agent: 'a', isolation: 'none' }])
  })
  expectRun(await world.pipe(['go']), { stdout: 'Done.\n' })
  const sent = world.server.requests.flatMap(({ body }) => outlineRequest(body))
  expect(sent.filter((text) => text.includes('Be it.')).length).toBeGreaterThan(0)
  expect(sent.filter((text) => text.includes('Begin here'))).toEqual([])
})

it('the text of skills follows the prompt, and one that does not exist is named', async () => {
  const world = await withField('skills: [tidy, absent]')
  await mkdir(join(world.home, 'skills/tidy'), { recursive: true })
  await writeFile(
    join(world.home, 'skills/tidy/SKILL.md'),
    '---\nname: tidy\ndescription: Tidies up\n---\nSweep each corner.\n',
  )
  world.server.reply(say('Done.'))
  expectRun(await world.pipe(['--agent', 'a', 'go']), {
    stdout: 'Done.\n',
    stderr: complaint(/there is no skill absent here, so the agent works without it/),
  })
  const [system = ''] = world.server.requests.flatMap(({ body }) => outlineRequest(body))
  expect(system).toMatch(/Be it\.[\s\S]*Sweep each corner\./)
})

it('background lets an elf work beside the agent that starts it, unless the call says otherwise', async () => {
  const world = await withField('background: true\ntools: Read')
  const told = deferred<void>()
  const results: string[] = []
  replyBy(world.server, 6, async (messages) => {
    if (isAbout(messages, 'first')) {
      await told.promise
      return blocks('First is over.')
    }
    if (isAbout(messages, 'second')) return blocks('Second is over.')
    const last = messages.at(-1) ?? ''
    results.push(last)
    if (results.length === 1) return calls(['elf', { prompt: 'first', agent: 'a' }])
    if (results.length === 2) return calls(['elf', { prompt: 'second', agent: 'a', background: false }])
    told.resolve()
    return blocks('Done.')
  })
  await world.pipe(['go'])
  expect(results[1]).not.toContain('First is over.')
  expect(results[2]).toContain('Second is over.')
  expect(results[3]).toContain('[The elf e1 has ended in the background.]\n\nFirst is over.')
})
