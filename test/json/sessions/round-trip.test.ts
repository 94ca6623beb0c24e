import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyMessage, anyText, anyUsage } from '../../support/messages/arbitraries.ts'
import { messageId, timestamp } from '../../support/messages/messages.ts'
import { openStore, signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

it('loads any session as it was saved', async () => {
  const history = fc.array(anyMessage, { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(history, anyText, anyText, anyUsage, async (messages, systemPrompt, title, usage) => {
      const folder = await mkdtemp(join(tmpdir(), 'pipe-json-'))
      try {
        const session = { id: sessionId(), systemPrompt, createdAt: timestamp, cwd: title }
        const state = { title, usage, costUsd: usage.inputTokens / 1e6, head: messageId(7) }
        const log = await openStore(folder).create(session, { signal })
        for (const message of messages) await log.append(message, state)
        await log.close()
        expect(await openStore(folder).load(sessionId(), { signal })).toStrictEqual({
          session: { ...session, updatedAt: timestamp, ...state, messages },
          damage: [],
        })
        const { log: again, loaded } = await openStore(folder).open(sessionId(), { signal })
        for (const message of messages) await again.append(message)
        await again.close()
        expect(await openStore(folder).load(sessionId(), { signal })).toStrictEqual({
          session: { ...loaded.session, messages: [...messages, ...messages] },
          damage: [],
        })
      } finally {
        await rm(folder, { recursive: true })
      }
    }),
    { numRuns: 60 },
  )
})
