import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { DrivingProgram } from '../../../src/line/controlled/driving-program.ts'

function open() {
  const lines: JsonObject[] = []
  let count = 0
  const program = new DrivingProgram({
    write: (line) => lines.push(line),
    newId: () => {
      count += 1
      return `r${count}`
    },
  })
  return { program, lines }
}

const never = new AbortController().signal

describe('the program at the other end', () => {
  it('is asked, and answers under the same id', async () => {
    const { program, lines } = open()
    const [first, second] = [program.ask({ subtype: 'a' }, never), program.ask({ subtype: 'b' }, never)]
    program.answered('r2', { x: 2 })
    program.answered('r1', { x: 1 })
    program.answered('r1', { x: 'again' })
    expect(await Promise.all([first, second])).toEqual([{ x: 1 }, { x: 2 }])
    expect(lines).toEqual([
      { type: 'control_request', request_id: 'r1', request: { subtype: 'a' } },
      { type: 'control_request', request_id: 'r2', request: { subtype: 'b' } },
    ])
  })

  it('may refuse', async () => {
    const { program } = open()
    const asked = program.ask({ subtype: 'a' }, never)
    program.refused('r1', 'not here')
    await expect(asked).rejects.toMatchObject({
      code: 'tool',
      message: 'the program that drives pipe refused: not here',
    })
  })

  it('is told that an answer is no longer wanted', async () => {
    const { program, lines } = open()
    const stop = new AbortController()
    const asked = program.ask({ subtype: 'a' }, stop.signal)
    stop.abort()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
    expect(lines.at(-1)).toEqual({ type: 'control_cancel_request', request_id: 'r1' })
  })

  it('answers nothing any more once it has left', async () => {
    const { program, lines } = open()
    const asked = program.ask({ subtype: 'a' }, never)
    program.leave()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
    await expect(program.ask({ subtype: 'b' }, never)).rejects.toMatchObject({ code: 'aborted' })
    expect(lines).toHaveLength(1)
  })
})
