import { expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { watch } from '../../support/live/watching.ts'
import { blocks, isAbout, replyBy } from '../../support/models/elf-replies.ts'
import { say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'

it('elves are seen in the stream of their session, ask there, are listed, and stopped by their names', async () => {
  const world = await openWorld()
  const served = await serveWorld(world)
  const { id } = (await served.call('POST', '/v1/sessions')).json as { id: string }
  const path = `/v1/sessions/${id}`
  const watching = await watch(served, `${path}/events`)
  world.server.reply(use(['elf', { prompt: 'make it', agent: 'general', isolation: 'none' }]))
  world.server.reply(
    use(['bash', { command: 'touch made' }]),
    say('It is made.'),
    say('The elf has made it.'),
  )
  await served.call('POST', `${path}/messages`, { text: 'go' })
  const start = (await watching.untilType('elf_start')).json
  const elf = {
    name: 'e1',
    elf_id: start.elf_id,
    agent: 'general',
    model: 'fake/model-1',
    prompt: 'make it',
    session_id: start.session_id,
  }
  const asked = await watching.until(
    ({ json }) => json.type === 'interaction_requested' && json.agent_id !== start.elf_id,
  )
  expect((await served.call('GET', `${path}/elves`)).json).toEqual({ elves: [{ ...elf, state: 'working' }] })
  const response = { interaction_id: asked.json.interaction.id, selected_option_id: 'allow' }
  expect((await served.call('POST', `${path}/commands`, { type: 'respond', response })).status).toBe(200)
  await watching.untilType('elf_end')
  await watching.until(({ json }) => json.type === 'turn_end' && json.agent_id === start.agent_id)
  expect((await served.call('GET', `${path}/elves`)).json).toEqual({ elves: [{ ...elf, state: 'done' }] })
  expect((await served.call('GET', '/v1/sessions')).json).toMatchObject({ sessions: [{ id }] })
  expect((await served.call('GET', `/v1/sessions?parent=${id}`)).json).toMatchObject({
    sessions: [{ id: start.session_id, parent_session_id: id }],
  })

  world.server.reply(use(['elf', { prompt: 'look', agent: 'explore', background: true }]))
  // The elf waits for a reply until it is stopped.
  replyBy(world.server, 3, async (messages) =>
    isAbout(messages, 'look') ? undefined : blocks('It is on its way.'),
  )
  await served.call('POST', `${path}/messages`, { text: 'again' })
  await watching.until(({ json }) => json.type === 'elf_start' && json.name === 'e2')
  await watching.until(({ json }) => json.type === 'turn_end' && json.agent_id === start.agent_id)
  const stop = () => served.call('POST', `${path}/elves/e2/commands`, { type: 'interrupt' })
  expect((await stop()).status).toBe(200)
  expect((await watching.untilType('elf_end')).json).toMatchObject({ name: 'e2', stop_reason: 'aborted' })
  expect((await stop()).status).toBe(404)
})
