import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saveImport } from '../../../../src/cli/wiring/session/save-import.ts'
import type { ForeignSession } from '../../../../src/import/read-session.ts'
import type { Message } from '../../../../src/message.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { assistant, messageId, text, user } from '../../../support/messages/messages.ts'
import { thrown } from '../../../support/thrown.ts'

const sourceId = '0a1b2c3d-1111-4222-8333-444455556666'

/** A session of three messages whose current branch ends at the first. `onSecond` runs as the second is written. */
function foreign(onSecond: () => void): ForeignSession {
  const second: Message = {
    ...assistant(),
    get content() {
      onSecond()
      return [text('Begun.')]
    },
  }
  const messages = [user(text('begin')), second, { ...user(text('go on')), id: messageId(3) }]
  return { agent: 'pi', sourceId, messages, head: messageId(1), leftOut: [], damage: [] }
}

async function openHome() {
  const home = await folderWith()
  const host = quietHost(home, { env: { PIPE_HOME: home } })
  const save = (session: ForeignSession, signal = new AbortController().signal) =>
    saveImport(session, { file: 'theirs.jsonl', isAgain: false, settings: {}, context: { host, signal } })
  return { save, folder: join(home, 'sessions'), path: join(home, 'sessions', `${sourceId}.json`) }
}

it('an import that is interrupted while it is saved leaves nothing', async () => {
  const { save, folder } = await openHome()
  const controller = new AbortController()
  const session = foreign(() => controller.abort())
  expect(await thrown(() => save(session, controller.signal))).toMatchObject({ code: 'aborted' })
  expect(readdirSync(folder)).toEqual([])
})

it('what a killed import leaves is reported as a part, and what a whole one leaves is not', async () => {
  const { save, path } = await openHome()
  let left = ''
  const session = foreign(() => {
    left ||= readFileSync(path, 'utf8')
  })
  expect(await save(session)).toMatchObject({ id: sourceId })
  expect(await thrown(() => save(session))).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`theirs.jsonl is already imported as session ${sourceId}`),
  })
  expect(left).toContain('"begin"')
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, whole.replace(/^.*"begin".*\n/m, '"damaged",\n'))
  expect(await thrown(() => save(session))).toMatchObject({
    message: expect.stringContaining('theirs.jsonl is already imported'),
  })
  writeFileSync(path, left)
  expect(await thrown(() => save(session))).toMatchObject({
    code: 'conflict',
    message: `theirs.jsonl is only partly imported as session ${sourceId}, because that import did not finish: delete the part with pipe sessions delete ${sourceId}, then import the file again`,
  })
})
