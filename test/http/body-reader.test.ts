import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyReader } from '../../src/http/body-reader.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'

const bytes = (text: string) => Buffer.from(text)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Opens a reader of a stream whose first pieces came at once. */
async function openFast() {
  const clock = createHandClock()
  const body = new PassThrough()
  const reader = new BodyReader(body, clock)
  for (let i = 0; i < 31; i++) {
    body.write('.')
    await reader.next()
  }
  const gathered = reader.next()
  for (let i = 0; i < 2; i++) {
    body.write('.')
    await nextTurn()
  }
  clock.advance(20)
  await gathered
  return { clock, body, reader }
}

describe('a body', () => {
  it('is read in the pieces that come, if they come slowly', async () => {
    const clock = createHandClock()
    const body = new PassThrough()
    const reader = new BodyReader(body, clock)
    for (let i = 0; i < 100; i++) {
      clock.advance(20)
      body.write(`${i}`)
      expect(await reader.next()).toEqual(bytes(`${i}`))
    }
    expect(clock.sleeping).toBe(0)
  })

  it('of a fast stream is gathered for a while', async () => {
    const { clock, body, reader } = await openFast()
    const read = reader.next()
    for (const word of ['a', 'b', 'c']) {
      body.write(word)
      await nextTurn()
    }
    clock.advance(20)
    expect(await read).toEqual(bytes('abc'))
    const alone = reader.next()
    body.write('d')
    await nextTurn()
    clock.advance(20)
    expect(await alone).toEqual(bytes('d'))
    body.write('slow again')
    expect(await reader.next()).toEqual(bytes('slow again'))
  })

  it('is handed on at once if much has come, or if it has ended', async () => {
    const { body, reader } = await openFast()
    const much = reader.next()
    for (let i = 0; i < 4; i++) body.write('x'.repeat(8_192))
    expect((await much)?.length).toBe(32_768)
    const rest = reader.next()
    body.end('rest')
    expect([await rest, await reader.next()]).toEqual([bytes('rest'), undefined])
  })

  it('that breaks off throws once what came was read', async () => {
    const body = new PassThrough()
    const reader = new BodyReader(body)
    body.write('all')
    await nextTurn()
    body.destroy(new Error('gone'))
    await nextTurn()
    expect(await reader.next()).toEqual(bytes('all'))
    await expect(reader.next()).rejects.toThrow('gone')
  })

  it('makes its server wait for a slow reader', async () => {
    const body = new PassThrough({ highWaterMark: 1_024 })
    const reader = new BodyReader(body)
    for (let i = 0; i < 64; i++) {
      body.write('x'.repeat(16_384))
      await nextTurn()
    }
    expect(body.isPaused()).toBe(true)
    let read = 0
    body.end()
    for (let piece = await reader.next(); piece !== undefined; piece = await reader.next())
      read += piece.length
    expect(read).toBe(64 * 16_384)
  })

  it('comes whole and in order, whatever the times', async () => {
    const step = fc.oneof(fc.constant('read' as const), fc.string({ minLength: 1 }), fc.nat(50))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const clock = createHandClock()
        const body = new PassThrough()
        const reader = new BodyReader(body, clock)
        let got = ''
        const pull = async () => {
          for (let piece = await reader.next(); piece !== undefined; piece = await reader.next())
            got += Buffer.from(piece).toString()
        }
        const pulling = pull()
        for (const one of steps) {
          if (one === 'read') await nextTurn()
          else if (typeof one === 'number') clock.advance(one)
          else body.write(one)
        }
        body.end()
        await pulling
        expect(got).toBe(steps.filter((one) => typeof one === 'string' && one !== 'read').join(''))
      }),
    )
  })
})
