import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSessionStore } from '../../../src/json/sessions/session-store.ts'
import { type Message, textContent } from '../../../src/message.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { earlier, long, looked, talked, told, unmeasured } from '../../support/messages/histories.ts'
import { countingIds, otherIds } from '../../support/messages/ids.ts'
import { text, timestamp } from '../../support/messages/messages.ts'
import { answers, choose } from '../../support/models/choices.ts'

const { signal } = new AbortController()

/** A session of these messages on disk, and the processes that continue it in turn. */
async function saved(messages: readonly Message[]) {
  const directory = await folderWith()
  const store = createSessionStore({ directory, clock: stillClock(), pid: process.pid, host: hostname() })
  const session = { id: countingIds().session(), systemPrompt: '', createdAt: timestamp }
  const log = await store.create(session, { signal })
  for (const message of messages) await log.append(message)
  await log.close()
  return {
    path: join(directory, `${session.id}.json`),
    /** Opens it in a new process, sends this message to a model, and closes it. */
    async goOn(words: string, model: ReturnType<typeof choose>, command?: 'compact') {
      const { log, loaded } = await store.open(session.id, { signal })
      expect(loaded.damage).toEqual([])
      const agent = openAgent({ log, messages: loaded.session.messages, model, newId: otherIds() })
      if (command !== undefined) agent.engine.send({ type: command })
      await play(agent, { message: told(words) })
      await agent.conversation.close()
      return model.requests.map(({ messages }) => messages.map(textContent))
    },
  }
}

it('continues a compacted session in a new process, with another provider', async () => {
  const before = earlier(...talked('One?', long(100, 'a')), ...talked('Two?', long(100, 'b')))
  const session = await saved(before)
  await session.goOn('Three?', choose('a/big', [answers('They counted.'), answers('Three.')]), 'compact')
  const summary = '[The conversation before this, as a summary]\n\nThey counted.'
  expect(await session.goOn('Four?', choose('b/small', [answers('Four.')]))).toEqual([
    [summary, 'Three?', 'Three.', 'Four?'],
  ])
  const { messages } = JSON.parse(await readFile(session.path, 'utf8'))
  expect(messages.slice(0, before.length).map(({ id }: Message) => id)).toEqual(before.map(({ id }) => id))
  expect(messages.map(textContent).slice(before.length)).toEqual([
    'Three?',
    summary,
    'Three.',
    'Four?',
    'Four.',
  ])
})

it('keeps old output out of requests in a new process', async () => {
  const before = earlier(...looked('tc_1', long(70_000)), unmeasured(text(long(20_000, 'a'))))
  const session = await saved(before)
  const known = { contextWindow: 100_000 }
  const first = await session.goOn('One?', choose('a/big', [answers('One.')], known))
  const then = await session.goOn('Two?', choose('b/big', [answers('Two.')], known))
  expect(first[0]?.[1]).toMatch(/^\[left out to make room: 280000 characters/)
  expect(then).toEqual([[...(first[0] ?? []), 'One.', 'Two?']])
})
