import { expect, it } from 'vitest'
import type { ElfNews } from '../../src/elf.ts'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import type { Key } from '../../src/ink/tty/key.ts'
import { textContent } from '../../src/message.ts'
import { scriptElves } from '../support/conversations/elf-news.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { asks, delta, turnEnd } from './conversation.ts'
import { createElf, ends, works } from './elves.ts'
import { plain } from './screen-text.ts'
import { openConversation } from './scripted-conversation.ts'

const elf = createElf({
  name: 'e1',
  agent: 'explore',
  model: 'acme/mini',
  prompt: 'Look around.',
  isBackground: true,
})
const parent = countingIds().agent()
const press = (name: string): Key => ({ type: 'press', name })

/** Opens a conversation with an elf in the background, whose news a test tells. */
function openElves() {
  const elves = scriptElves()
  const { tell, responses, stopped } = elves
  const result = { type: 'text', text: 'e1 works in the background.' } as const
  const opened = openConversation({
    events: [
      ...elf.call,
      { type: 'tool_end', callId: 'call_e1', isError: false, content: [result], durationMs: 5 },
      turnEnd,
    ],
    elves,
    api: { stopElf: (name) => void elves.stop(name) },
  })
  const live = () => plain(drawLive(opened.store.screen))
  const until = (row: RegExp) => expect.poll(() => live().join('\n')).toMatch(row)
  return { ...opened, tell, live, until, responses, stopped }
}

const told = (event: ReturnType<typeof works>[number]): ElfNews => ({
  type: 'event',
  event: { ...event, agentId: elf.id, seq: 1 },
})

it('the work of an elf in the background is shown between turns', async () => {
  const { type, tell, until, live } = openElves()
  type('look around')
  await until(/explore e1/)
  tell(...works('grep', { pattern: 'lock' }).map(told))
  await until(/grep lock/)
  expect(live()[0]).toMatch(/^ {2}⠋ explore e1 {2}grep lock +3.4k · \$0.004 +0 s$/)
})

it('its end is a line of the transcript, and its result goes to the model in a turn of its own', async () => {
  const { type, tell, until, transcript, engine, store } = openElves()
  const sent: string[] = []
  const { submit } = engine
  Object.assign(engine, {
    submit: (...args: Parameters<typeof submit>) => {
      const [message] = args
      if (message !== undefined) sent.push(textContent(message))
      return submit.apply(engine, args)
    },
  })
  type('look around')
  await until(/explore e1/)
  await expect.poll(() => store.screen.busySince).toBeUndefined()
  const end = { ...ends(elf), agentId: parent, seq: 9 }
  tell(told(delta('It is in lock.ts.')), { type: 'event', event: end })
  tell({
    type: 'report',
    message: user(text('[The elf e1 has ended in the background.]\n\nIt is in lock.ts.')),
  })
  await expect.poll(() => sent).toHaveLength(2)
  expect(sent[1]).toBe('[The elf e1 has ended in the background.]\n\nIt is in lock.ts.')
  const tools = transcript.flatMap((entry) => (entry.type === 'tool' ? [entry.text] : []))
  expect(tools.slice(0, 2)).toEqual(['e1 works in the background.', 'It is in lock.ts.'])
})

it('its question is asked and answered, and Esc leaves it without stopping the turn', async () => {
  const { type, tell, until, clock, controller, responses, store } = openElves()
  type('look around')
  await until(/explore e1/)
  const question = asks('npm test').interaction
  tell({ type: 'question', interaction: question })
  await until(/Allow bash\?/)
  clock.advance(2_000)
  controller.key({ type: 'text', text: 'y' })
  const answer = { interactionId: question.id, answeredBy: 'user_local' }
  await expect.poll(() => responses).toEqual([{ ...answer, selectedOptionId: 'allow' }])
  tell({ type: 'question', interaction: question })
  await until(/Allow bash\?/)
  clock.advance(2_000)
  controller.key(press('esc'))
  await expect.poll(() => responses[1]).toEqual({ ...answer, cancelled: true })
  expect(store.screen.questions).toEqual([])
})

it('/elves lists the elves, shows one with its session, and stops it', async () => {
  const { type, tell, until, live, controller, stopped } = openElves()
  type('look around')
  await until(/explore e1/)
  tell(...works('grep', { pattern: 'lock' }).map(told), told(delta('It is in lock.ts.')))
  await until(/It is in/)
  type('/elves')
  expect(live()).toEqual([
    '',
    'Elves  1 running',
    '❯ ⠋ explore e1  It is in lock.ts.         3.4k · $0.004  0 s',
    'Enter shows it · x or Esc stops it · q closes',
  ])
  controller.key(press('enter'))
  await until(/session/)
  expect(live()).toEqual([
    '',
    '  ⠋ explore e1  It is in lock.ts.         3.4k · $0.004  0 s',
    '',
    '  Look around.',
    '',
    '  grep lock',
    '',
    '  It is in lock.ts.',
    '',
    '  model    acme/mini',
    `  session  pipe -r ${elf.start.sessionId}`,
    '↑ ↓ PgUp PgDn scroll · x stops it · Esc goes back',
  ])
  controller.key(press('esc'))
  controller.key(press('esc'))
  expect([live().at(-1), stopped]).toEqual(['stop explore e1? y or Esc yes · any other key no', []])
  controller.key(press('esc'))
  await expect.poll(() => stopped).toEqual(['e1'])
  controller.key({ type: 'text', text: 'x' })
  await expect.poll(() => stopped).toEqual(['e1', 'e1'])
  controller.key({ type: 'text', text: 'q' })
  expect(live().join('\n')).not.toContain('Elves')
})
