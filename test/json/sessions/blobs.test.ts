import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { UserMessage } from '../../../src/message.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { text, user } from '../../support/messages/messages.ts'
import { append, load, save } from '../folder.ts'

const data = Buffer.alloc(200 * 1024, 'a large image ').toString('base64')
const picture = user(text('what is this?'), { type: 'image', mimeType: 'image/png', data })
const paper = user({ type: 'document', mimeType: 'application/pdf', data, name: 'paper.pdf' })

async function withBlobs(...messages: readonly UserMessage[]) {
  const folder = await folderWith()
  const path = await save(folder, messages)
  return { folder, path, blobs: join(folder, 'session-id.blobs') }
}

describe('a large image or document', () => {
  it('is stored once in its own file and loaded again', async () => {
    const { folder, path, blobs } = await withBlobs(picture, paper)
    const [name = '', ...more] = await readdir(blobs)
    expect(more).toStrictEqual([])
    expect(await readFile(join(blobs, name), 'base64')).toBe(data)
    const [first, second] = JSON.parse(await readFile(path, 'utf8')).messages
    const blob = { sha256: name, size: 200 * 1024 }
    expect(first.content[1]).toStrictEqual({ type: 'image', mime_type: 'image/png', blob })
    expect(second.content).toStrictEqual([
      { type: 'document', mime_type: 'application/pdf', name: 'paper.pdf', blob },
    ])
    expect(await load(folder)).toMatchObject({ session: { messages: [picture, paper] }, damage: [] })
  })

  it('is hidden from other users', async () => {
    const { blobs } = await withBlobs(picture)
    const [name = ''] = await readdir(blobs)
    expect((await stat(blobs)).mode & 0o777).toBe(0o700)
    expect((await stat(join(blobs, name))).mode & 0o777).toBe(0o600)
  })

  it('stays in its line if it is small or would not decode to the same text', async () => {
    const small = user({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(256 * 1024) })
    const odd = user({ type: 'image', mimeType: 'image/png', data: `${data}====` })
    const { folder } = await withBlobs(small, odd)
    expect(await readdir(folder)).toStrictEqual(['session-id.json'])
    expect((await load(folder)).session.messages).toStrictEqual([small, odd])
  })

  it.each([
    ['missing', (path: string) => rm(path)],
    ['damaged', (path: string) => writeFile(path, 'other bytes')],
  ])('becomes a text if its file is %s', async (_, harm) => {
    const { folder, blobs } = await withBlobs(picture, paper)
    const [name = ''] = await readdir(blobs)
    await harm(join(blobs, name))
    const reason = (n: number) => `message ${n}: its file ${name} is missing or damaged`
    expect(await load(folder)).toMatchObject({
      session: {
        messages: [
          user(text('what is this?'), text('[image missing: image/png]')),
          user(text('[document missing: application/pdf]')),
        ],
      },
      damage: [
        { line: 8, reason: reason(1) },
        { line: 9, reason: reason(2) },
      ],
    })
  })

  it('cannot refer to a file elsewhere', async () => {
    const { folder, path, blobs } = await withBlobs(picture)
    const [name = ''] = await readdir(blobs)
    await writeFile(path, (await readFile(path, 'utf8')).replace(name, '../../../etc/passwd'))
    const { session, damage } = await load(folder)
    expect(session.messages).toStrictEqual([user(text('what is this?'))])
    expect(damage).toHaveLength(1)
  })

  it('that cannot be written fails the append and leaves the session unchanged', async () => {
    const folder = await folderWith()
    await save(folder, [user(text('one'))])
    await writeFile(join(folder, 'session-id.blobs'), 'a file where the folder should be')
    await expect(append(folder, picture)).rejects.toMatchObject({
      name: 'PipeError',
      details: { path: join(folder, 'session-id.blobs') },
    })
    expect(await load(folder)).toMatchObject({ session: { messages: [user(text('one'))] }, damage: [] })
    await rm(join(folder, 'session-id.blobs'))
    await mkdir(join(folder, 'session-id.blobs'))
    await append(folder, picture)
    expect((await load(folder)).session.messages).toStrictEqual([user(text('one')), picture])
  })
})
