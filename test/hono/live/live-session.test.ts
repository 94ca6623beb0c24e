import { describe, expect, it, onTestFinished } from 'vitest'
import { localUser } from '../../../src/actor.ts'
import type { ServedConversation } from '../../../src/hono/backend.ts'
import { LiveSession } from '../../../src/hono/live/live-session.ts'
import type { Interaction } from '../../../src/interaction.ts'
import { textContent } from '../../../src/message.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { round, says } from '../../support/conversations/agent.ts'
import { scriptElves } from '../../support/conversations/elf-news.ts'
import { openServedConversation, savingUntil } from '../../support/live/served-conversation.ts'
import { countingIds } from '../../support/messages/ids.ts'

const sessionId = countingIds().session()

/** Opens a session whose turns take as long as this to save their files at their end. */
function openSession(saved: Promise<void>): LiveSession {
  const rounds = [round(says('One.')), round(says('Two.'))]
  return openWith(openServedConversation(sessionId, { rounds, checkpoints: savingUntil(saved) }))
}

function openWith(conversation: ServedConversation): LiveSession {
  const session = new LiveSession({
    conversation,
    project: { name: 'here', cwd: '/here' },
    sessionId,
    left: 0,
    isBorrowed: false,
    changed: () => undefined,
    clock: stillClock(),
  })
  onTestFinished(() => session.close())
  return session
}

/** Resolves once this many turns have ended for those who watch. */
async function turnsEnded({ conversation }: LiveSession, count: number): Promise<void> {
  let left = count
  for await (const watched of conversation.watch({ after: `${await runOf(conversation)}-0` }))
    if (watched.type === 'event' && watched.event.type === 'turn_end' && --left === 0) return
}

async function runOf(conversation: ServedConversation): Promise<string> {
  const watching = conversation.watch()
  const { value } = await watching.next()
  await watching.return?.()
  return value?.position.replace(/-[\d.]+$/, '') ?? ''
}

describe('what a turn changed', () => {
  it('is told to somebody who saw its end, once its files are saved', async () => {
    const saved = deferred()
    const session = openSession(saved.promise)
    await session.post({ text: 'first', when: 'now' })
    const wanted = { isAll: false, signal: new AbortController().signal }
    await expect(session.changes(wanted)).rejects.toThrow('the changes are known once the turn has ended')
    await turnsEnded(session, 1)
    await expect.poll(() => session.facts.isTurn).toBe(false)
    const told: string[] = []
    const changes = session.changes(wanted).then(() => told.push('changes'))
    told.push('saving')
    saved.resolve()
    await changes
    expect(told).toEqual(['saving', 'changes'])
  })
})

describe('a question that an elf in the background asks once it has ended', () => {
  it('waits like any other until it is answered', async () => {
    const elves = scriptElves()
    const session = openWith(openServedConversation(sessionId, {}, { elves }))
    const interaction: Interaction = {
      id: countingIds().interaction(),
      kind: 'confirm',
      purpose: 'generic',
      display: { title: 'Use its changes?' },
    }
    elves.tell({ type: 'question', interaction })
    await expect.poll(() => session.facts.questions).toBe(1)
    await session.respond({ interactionId: interaction.id, answeredBy: localUser })
    expect(elves.responses.length).toBe(1)
  })
})

describe('a message of somebody who saw the end of a turn', () => {
  it('begins the next turn, though the files of the last one are still being saved', async () => {
    const saved = deferred()
    const session = openSession(saved.promise)
    expect((await session.post({ text: 'first', when: 'now' })).status).toBe('started')
    await turnsEnded(session, 1)
    const second = session.post({ text: 'second', when: 'now' })
    saved.resolve()
    expect((await second).status).toBe('started')
    await turnsEnded(session, 2)
    expect(
      session.conversation.messages.map((message) =>
        message.type === 'assistant' || message.type === 'user' ? textContent(message) : '',
      ),
    ).toEqual(['first', 'One.', 'second', 'Two.'])
  })

  it('begins the next turn where saving the files of the last one failed', async () => {
    const failing = Promise.reject(new Error('no files'))
    failing.catch(() => undefined)
    const session = openSession(failing)
    await session.post({ text: 'first', when: 'now' })
    await turnsEnded(session, 1)
    expect((await session.post({ text: 'second', when: 'now' })).status).toBe('started')
  })
})
