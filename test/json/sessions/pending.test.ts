import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sessionSchema } from '../../../src/json/documents/schema.ts'
import { createSessionStore } from '../../../src/json/sessions/session-store.ts'
import type { PendingQuestion } from '../../../src/session.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, timestamp, user } from '../../support/messages/messages.ts'

const { signal } = new AbortController()
const ids = countingIds()
const id = ids.session()

function question(): PendingQuestion {
  const interaction = {
    id: ids.interaction(),
    kind: 'select',
    purpose: 'confirm_risky_action',
    display: { title: 'Allow bash?', content: { command: 'rm x' }, contentKind: 'json' },
    options: [{ id: 'allow', label: 'Yes', style: 'primary', isDefault: false, detail: 'a', confirm: 'b?' }],
    withheld: [{ id: 'allow_session', label: 'Yes, this session', reason: 'no rule covers it' }],
    parts: [{ id: ids.interaction(), kind: 'input', purpose: 'generic', display: { title: 'Why?' } }],
  } as const
  const response = { interactionId: interaction.id, answeredBy: 'user_ann', selectedOptionId: 'allow' }
  return { callId: 'tc_1', interaction, subject: 'a'.repeat(64), response }
}

async function store() {
  const directory = await folderWith()
  const opened = createSessionStore({ directory, clock: stillClock(), pid: 1, host: 'here' })
  return { store: opened, file: join(directory, `${id}.json`) }
}

it('keeps open questions, each with its call, until they are settled', async () => {
  const { store: sessions, file } = await store()
  const pending = [question()]
  const log = await sessions.create({ id, systemPrompt: '', createdAt: timestamp }, { signal })
  await log.append(user(text('hi')), { title: 'Hi' })
  await log.update({ pending })
  const { session } = await sessions.load(id, { signal })
  expect(session).toMatchObject({ title: 'Hi', pending })
  sessionSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  await log.update({ pending: [] })
  expect((await sessions.load(id, { signal })).session).not.toHaveProperty('pending')
  await log.append(user(text('more')))
  await log.close()
  expect((await sessions.load(id, { signal })).session.messages).toHaveLength(2)
})

it('keeps them when the session is opened again and continued', async () => {
  const { store: sessions } = await store()
  const pending = [question()]
  const log = await sessions.create({ id, systemPrompt: '', createdAt: timestamp }, { signal })
  await log.append(user(text('hi')), { pending })
  await log.close()
  const again = await sessions.open(id, { signal })
  expect(again.loaded.session.pending).toEqual(pending)
  await again.log.update({ title: 'Greeting' })
  await again.log.close()
  expect((await sessions.load(id, { signal })).session).toMatchObject({ title: 'Greeting', pending })
})

it('saves nothing of a session without messages', async () => {
  const { store: sessions } = await store()
  const log = await sessions.create({ id, systemPrompt: '', createdAt: timestamp }, { signal })
  await log.update({ pending: [question()] })
  expect(await sessions.find('', { signal })).toEqual([])
  await log.append(user(text('hi')))
  expect((await sessions.load(id, { signal })).session.pending).toHaveLength(1)
  await log.close()
})
