import { describe, expect, it } from 'vitest'
import type { Conversation, Watched } from '../../../src/conversation.ts'
import type { ElfNews, ElvesAtWork } from '../../../src/elf.ts'
import { PipeError } from '../../../src/error.ts'
import { asElfReport } from '../../../src/message.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { openAgent, round, says } from '../../support/conversations/agent.ts'
import { driven } from '../../support/conversations/driven.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'

const hello = user(text('hello'))
const newId = otherIds()

/** Elves that give out this news, and then work on. */
function busyElves(news: readonly ElfNews[], isBusy: () => boolean): ElvesAtWork {
  const waiting = [...news]
  return {
    get isBusy() {
      return isBusy() || waiting.length > 0
    },
    next: async (signal) => waiting.shift() ?? untilAborted(signal),
    respond: () => undefined,
    stop: () => false,
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new PipeError('aborted', 'interrupted'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
}

/** Sends a message and reads until nothing goes on by itself. */
async function readUntilSettled(conversation: Conversation): Promise<readonly Watched['type'][]> {
  const read: Watched['type'][] = []
  const watching = conversation.watch()
  await conversation.send(hello)
  for await (const { type } of watching) {
    if (type === 'ended' || type === 'settled') read.push(type)
    if (type === 'settled') break
  }
  return read
}

describe('a conversation settles', () => {
  it('at the end of a turn that nothing follows', async () => {
    const { conversation } = openAgent({ rounds: [round(says('Done.'))] })
    expect(await readUntilSettled(driven(conversation))).toEqual(['ended', 'settled'])
  })

  it('only once no elf is at work, after the turns of their results', async () => {
    const { conversation, engine } = openAgent({
      rounds: [round(says('Begun.')), round(says('It is calm.'))],
    })
    const message = asElfReport(user(text('[The elf e1 has ended in the background.]')))
    const over = deferred()
    let isBusy = true
    const elves: ElvesAtWork = {
      ...busyElves([], () => isBusy),
      get isBusy() {
        return isBusy
      },
      next: async (signal) => {
        if (!isBusy) return untilAborted(signal)
        await over.promise
        isBusy = false
        return { type: 'report', message: { ...message, id: newId.message() } }
      },
    }
    const shared = driven(conversation, { elves })
    const settled = readUntilSettled(shared)
    await expect.poll(() => engine.history.length).toBe(2)
    over.resolve()
    expect(await settled).toEqual(['ended', 'ended', 'settled'])
    expect(engine.history).toHaveLength(4)
  })
})
