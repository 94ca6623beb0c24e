import { describe, expect } from 'vitest'
import { type Served, serveWorld } from '../../support/live/served.ts'
import { holding, settled, watch } from '../../support/live/watching.ts'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { rawConnection } from '../../support/servers/raw-connection.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'

/** Text that would begin an event of its own if its line ends were those of the stream. */
const hostile = [
  'a\n\ndata: {"type":"turn_end"}\n\n',
  'b\r\rid: 9-9\revent: x\r\r',
  'c\r\n\r\nretry: 1\r\n\r\n',
  'd\u2028data: {}\u2029\u0085: ping\0\n:',
].join('')

async function begin({ call }: Pick<Served, 'call'>, text: string): Promise<string> {
  const { status, text: body } = await call('POST', '/v1/sessions', { text })
  expect(status).toBe(201)
  return JSON.parse(body).id
}

/** Begins a turn whose reply is under way, and watches it. */
async function inReply() {
  const world = await openWorld()
  const served = await serveWorld(world)
  const held = holding('Wai', 'ting')
  world.server.reply(held.reply)
  const id = await begin(served, 'hi')
  await held.asked
  const watching = await watch(served, `/v1/sessions/${id}/events`)
  await watching.until(({ json }) => json.type === 'text_delta' || json.reply?.length > 0)
  return { world, served, id, watching }
}

describe('events of a server', () => {
  it('stay one line each, whatever the texts of a user, a model and a tool hold', async () => {
    const world = await openWorld()
    const served = await serveWorld(world)
    world.server.reply(say(hostile))
    const id = await begin(served, hostile)
    const watching = await watch(served, `/v1/sessions/${id}/events`)
    await settled(served, id)
    const lists = await served.call('GET', '/v1/sessions')
    expect(JSON.stringify(lists.json)).toContain('data: {')
    await watching.close()
    const again = await watch(served, `/v1/sessions/${id}/events`)
    const { json } = await again.untilType('snapshot')
    expect(json.messages.at(-1).content).toEqual([{ type: 'text', text: hostile }])
    expect(again.lines.length).toBe(1)
    const head = await served.call('HEAD', `/v1/sessions/${id}/events`)
    expect([head.status, head.text]).toEqual([200, ''])
    await again.close()
  })

  slowIt('end in order when the server is told to end, and what was said is saved', async () => {
    const { world, served, watching } = await inReply()
    served.program.kill('SIGTERM')
    await expect(watching.until(() => false)).rejects.toThrow('the events of')
    expect((await served.program.ended).code).toBe(143)
    const [session] = await world.sessions()
    expect(session?.messages.map(({ type }: { readonly type: string }) => type)).toEqual([
      'user',
      'assistant',
    ])
  })

  slowIt('break off when the server is killed, and what was acknowledged is in a whole file', async () => {
    const { world, served, watching } = await inReply()
    served.program.kill('SIGKILL')
    await expect(watching.until(() => false)).rejects.toThrow(
      /terminated|aborted|other side closed|fetch failed/,
    )
    await served.program.ended
    const [session] = await world.sessions()
    expect(JSON.stringify(session?.messages)).toContain('hi')
  })

  slowIt('and answers under way are waited for, but not after a second signal', async () => {
    const [patient, hurried] = [await answering(), await answering()]
    for (const { program, url } of [patient, hurried]) {
      program.kill('SIGTERM')
      // Two signals at once would reach the program as one.
      await expect.poll(async () => (await rawConnection(url)).socket.destroyed).toBe(true)
    }
    hurried.program.kill('SIGTERM')
    const first = await Promise.race([
      patient.program.ended.then(() => patient),
      hurried.program.ended.then(() => hurried),
    ])
    expect(first).toBe(hurried)
    expect((await hurried.program.ended).code).toBe(143)
    patient.program.kill('SIGKILL')
    await patient.program.ended
  })
})

/** Serves a world, and keeps an answer under way: its request is half sent. */
async function answering() {
  const { program, url, token } = await serveWorld(await openWorld())
  const { host } = new URL(url)
  const head = `POST /v1/sessions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  const half = await rawConnection(url, `${head}expect: 100-continue\r\ncontent-length: 9\r\n\r\n{`)
  await half.until(/100 Continue/)
  return { program, url }
}
