import { describe, expect, it } from 'vitest'
import { lastText, say } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { type DrivenRun, drive, request, user } from './driving-setup.ts'

/** Starts a run in a turn without an end, behind which two messages wait. */
async function open() {
  const world = await openWorld()
  world.server.reply({ sse: '', ending: 'hang' }, say('Two.'), say('Three.'))
  const run = drive(world)
  for (const uuid of ['first', 'second', 'third']) await run.send(user(`the ${uuid} message`, { uuid }))
  await expect.poll(() => world.server.requests.length).toBe(1)
  return { world, run }
}

const answersOf = (run: DrivenRun) =>
  run.lines().flatMap((line) => (line.type === 'control_response' ? [line['response']] : []))
/** The last words of the user in each request. */
const askedOf = ({ server }: World) =>
  server.requests.map(({ body }) => [...lastText(body).matchAll(/the (\w+) message/g)].at(-1)?.[1])

describe('messages that wait behind a turn', () => {
  it('are named by their own ids, and begin the next turns', async () => {
    const { world, run } = await open()
    await run.send(request('i', 'interrupt'))
    await run.until(/"request_id":"i"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(answersOf(run)).toMatchObject([{ response: { still_queued: ['second', 'third'] } }])
    expect(askedOf(world)).toEqual(['first', 'second', 'third'])
  })

  it('can be withdrawn, one of them or all with the turn', async () => {
    const { world, run } = await open()
    await run.send(request('a', 'cancel_async_message', { message_uuid: 'second' }))
    await run.send(request('b', 'cancel_async_message', { message_uuid: 'second' }))
    await run.until(/"request_id":"b"/)
    await run.send(request('i', 'interrupt', { cancel_queued: true }))
    await run.until(/"request_id":"i"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(answersOf(run)).toMatchObject([
      { response: { cancelled: true } },
      { response: { cancelled: false } },
      { response: { still_queued: [], cancelled: ['third'] } },
    ])
    expect(askedOf(world)).toEqual(['first'])
    expect(run.lines().filter(({ type }) => type === 'result')).toMatchObject([
      { error: { code: 'aborted' } },
    ])
  })
})
