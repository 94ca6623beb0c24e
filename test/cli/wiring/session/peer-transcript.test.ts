import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { PeerTranscript } from '../../../../src/cli/wiring/session/peer-transcript.ts'
import type { Message } from '../../../../src/message.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { countingIds } from '../../../support/messages/ids.ts'
import { messageId, text, user } from '../../../support/messages/messages.ts'

const said = (number: number, words: string): Message => ({ ...user(text(words)), id: messageId(number) })
const [one, two, three] = [said(1, 'one'), said(2, 'two'), said(3, 'my key is s3cret')]

async function openTranscript(history: () => readonly Message[]) {
  const home = await folderWith()
  const [id, files] = [countingIds().session(), join(home, 'session.files')]
  const open = () => {
    const redact = (words: string) => words.replace('s3cret', '[redacted]')
    const transcript = new PeerTranscript({ machine: quietHost(home), id, files, redact })
    transcript.follow(history)
    return transcript
  }
  const path = join(files, `${id}.jsonl`)
  const words = () =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message.content)
  return { open, path, words, files }
}

it('holds the messages so far, without secrets, for its owner alone', async () => {
  const history = [one]
  const { open, path, words } = await openTranscript(() => history)
  const transcript = open()
  expect(await transcript.path()).toBe(path)
  expect(words()).toEqual(['one'])
  history.push(two, three)
  await Promise.all([transcript.path(), transcript.path()])
  expect(words()).toEqual(['one', 'two', 'my key is [redacted]'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
})

it('is not there before the first message', async () => {
  const { open, path, files } = await openTranscript(() => [])
  expect(await open().path()).toBe(path)
  expect(existsSync(files)).toBe(false)
})

it('keeps what the user went back from, and begins anew in the next run', async () => {
  let history: readonly Message[] = [one, two]
  const { open, words } = await openTranscript(() => history)
  const transcript = open()
  await transcript.path()
  history = [one, { ...three, parentId: one.id }]
  await transcript.path()
  expect(words()).toEqual(['one', 'two', 'my key is [redacted]'])
  await open().path()
  expect(words()).toEqual(['one', 'my key is [redacted]'])
})

it('has no path where it cannot be written, and is whole as soon as it can', async () => {
  const history = [one]
  const { open, path, words, files } = await openTranscript(() => history)
  const transcript = open()
  writeFileSync(files, 'a file in its place')
  expect(await transcript.path()).toBeUndefined()
  rmSync(files)
  await transcript.path()
  rmSync(files, { recursive: true })
  mkdirSync(path, { recursive: true })
  history.push(two)
  expect(await transcript.path()).toBeUndefined()
  rmSync(files, { recursive: true })
  expect(await transcript.path()).toBe(path)
  expect(words()).toEqual(['one', 'two'])
})
