import { expect, it } from 'vitest'
import { calls, openAgent, play, round, says } from '../../support/conversations/agent.ts'
import { gives, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'

const hidden = '\u{e0044}\u{e0045}'
const note = '(2 invisible characters removed)'

it('TERM-236: strips tag characters from results for model, session and user, with a note', async () => {
  const executor = scriptedTools({ fetch: gives(`page${hidden}`) })
  const agent = openAgent({ rounds: [round(calls('tc_1', 'fetch')), round(says('Done.'))], executor })
  const { events } = await play(agent)
  const result = agent.saved.find(({ type }) => type === 'tool_result')
  expect(result).toMatchObject({ content: [text(`page\n${note}`)], details: { invisible_removed: 2 } })
  expect(agent.requests.at(-1)?.messages.at(-1)).toEqual(result)
  expect(events).toContainEqual(expect.objectContaining({ type: 'message', message: result }))
  const ended = { type: 'tool_end', content: [text(`page\n${note}`)], details: { invisible_removed: 2 } }
  expect(events).toContainEqual(expect.objectContaining(ended))
})

it('TERM-236: strips tag characters from messages and steering messages', async () => {
  const executor = scriptedTools({ read: gives('one') })
  const agent = openAgent({ rounds: [round(calls('tc_1', 'read')), round(says('Done.'))], executor })
  const steering = { ...user(text(`faster${hidden}`)), id: messageId(99) }
  const { events } = await play(agent, {
    message: user(text('context'), text(`hello${hidden}`)),
    see: (event) => {
      if (event.type === 'tool_start') agent.engine.send({ type: 'steer', message: steering })
    },
  })
  const metadata = { invisible_removed: '2' }
  const said = { ...user(text('context'), text(`hello\n${note}`)), metadata }
  const steered = { ...steering, content: [text(`faster\n${note}`)], metadata }
  expect(agent.saved.filter(({ type }) => type === 'user')).toEqual([said, steered])
  expect(agent.requests.at(-1)?.messages.filter(({ type }) => type === 'user')).toEqual([said, steered])
  expect(events).toContainEqual(expect.objectContaining({ type: 'turn_start', message: said }))
  expect(events).toContainEqual(expect.objectContaining({ type: 'message', message: steered }))
})

it('TERM-236: strips tag characters from replies before they are sent back', async () => {
  const executor = scriptedTools({ read: gives('one') })
  const agent = openAgent({
    rounds: [
      round(
        { type: 'thinking', thinking: `so${hidden}` },
        says(`Rea${hidden}ding.`),
        says(hidden),
        calls('tc_1', 'read'),
      ),
      round(says('Done.')),
    ],
    executor,
  })
  await play(agent)
  const said = agent.saved.find(({ type }) => type === 'assistant')
  expect(said).toMatchObject({ metadata: { invisible_removed: '6' } })
  expect(said?.content).toEqual([
    { type: 'thinking', thinking: 'so' },
    text('Reading.'),
    { type: 'tool_call', id: 'tc_1', name: 'read', arguments: {} },
  ])
  expect(agent.requests.at(-1)?.messages).toContainEqual(said)
})
