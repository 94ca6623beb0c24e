import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { fillDisk, mountSmallDisk } from '../../support/folders/mount.ts'
import { serveWorld } from '../../support/live/served.ts'
import { settled } from '../../support/live/watching.ts'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** Longer than the free part of a file's last page. */
const long = `${'much '.repeat(900)}text`
const id = (digit: number) => `b1946ac9-2e12-4b1e-8d3c-00000000000${digit}`

/** Serves a world whose sessions, or whose audit log, lie on a small disk. */
async function serveOn(skip: (why: string) => never, folder: 'sessions' | 'audit') {
  const world = await openWorld()
  const disk = join(world.home, folder)
  mkdirSync(disk, { recursive: true })
  mountSmallDisk(skip, disk, 4 * 1024 * 1024)
  const first = await serveWorld(world)
  const begin = async (text: string) => {
    const { json } = await first.call('POST', '/v1/sessions', { text })
    const session = String(Object(json).id)
    await settled(first, session)
    return session
  }
  return { world, disk, begin, ...first }
}

const full = [503, { code: 'STORAGE', message: expect.stringContaining('the disk is full') }]

describe('a message on a full disk', () => {
  it('is refused with the reason each time, reaches no model, and is taken once there is space', async ({
    skip,
  }) => {
    const { world, disk, call, begin } = await serveOn(skip, 'sessions')
    world.server.reply(say('First.'), say('Second.'))
    const session = await begin('first')
    const free = fillDisk(disk)
    const send = async (digit: number) => {
      const body = { text: `second: ${long}`, id: id(digit) }
      const { status, json } = await call('POST', `/v1/sessions/${session}/messages`, body)
      return [status, json]
    }
    expect(await send(1)).toMatchObject(full)
    expect(await send(1)).toMatchObject(full)
    expect(await send(2)).toMatchObject(full)
    const begun = await call('POST', '/v1/sessions', { text: long })
    expect([begun.status, begun.json]).toMatchObject(full)
    expect(world.server.requests.length).toBe(1)
    free()
    expect(await send(1)).toEqual([201, { message_id: id(1), status: 'started' }])
    await settled({ call }, session)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: first', 'assistant: First.', `user: second: ${long}`, 'assistant: Second.'],
    ])
  })

  it('that was acknowledged is there after a kill, though the disk filled up before its turn could be saved', async ({
    skip,
  }) => {
    const { world, disk, call, begin, program } = await serveOn(skip, 'sessions')
    const [asked, filled] = [deferred(), deferred()]
    world.server.reply(
      say('First.'),
      async (_, response) => {
        asked.resolve()
        await filled.promise
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(replyEvents([{ type: 'text', text: `Second. ${long.repeat(20)}` }]).join(''))
      },
      say('To the steering.'),
      say('After the kill.'),
      say('And on.'),
    )
    const session = await begin('first')
    const post = (digit: number, text: string) =>
      call('POST', `/v1/sessions/${session}/messages`, { text, id: id(digit) })
    expect((await post(1, 'second')).status).toBe(201)
    await asked.promise
    expect((await post(2, `steer: ${long}`)).status).toBe(202)
    const free = fillDisk(disk)
    filled.resolve()
    await expect.poll(() => world.server.requests.length).toBe(3)
    await settled({ call }, session)
    process.kill(program.pid, 'SIGKILL')
    await program.ended
    free()
    const again = await serveWorld(world)
    await again.call('POST', `/v1/sessions/${session}/messages`, { text: 'on', when: 'after' })
    await expect.poll(() => world.server.requests.length).toBe(5)
    await settled(again, session)
    expect((await world.sessions()).map(outline)).toEqual([
      [
        ...['user: first', 'assistant: First.', 'user: second', `user: steer: ${long}`],
        ...['assistant: After the kill.', 'user: on', 'assistant: And on.'],
      ],
    ])
  })
})

describe('a message while only the audit log cannot be written', () => {
  it('is acknowledged, as the conversation is whole', async ({ skip }) => {
    const { world, disk, call, begin } = await serveOn(skip, 'audit')
    world.server.reply(say('First.'), say('Second.'))
    const session = await begin('first')
    fillDisk(disk)
    const sent = await call('POST', `/v1/sessions/${session}/messages`, { text: `second: ${long}` })
    expect(sent.status).toBe(201)
    await settled({ call }, session)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: first', 'assistant: First.', `user: second: ${long}`, 'assistant: Second.'],
    ])
  })
})
