import { describe, expect, it } from 'vitest'
import { writeAll } from '../../src/cli/standard-output.ts'
import { BrokenPipe } from '../../src/terminal/output.ts'
import { thrown } from '../support/thrown.ts'

const fault = (code: string) => Object.assign(new Error(code), { code })

/** A descriptor that answers each write with one of these: a number of bytes or an error. */
function descriptor(...answers: readonly (number | string)[]) {
  const left = [...answers]
  let taken = ''
  const write = (bytes: Uint8Array, offset: number): number => {
    const answer = left.shift() ?? bytes.length
    if (typeof answer === 'string') throw fault(answer)
    const part = bytes.slice(offset, offset + answer)
    taken += Buffer.from(part).toString()
    return part.length
  }
  return { write, taken: () => taken }
}

describe('an output', () => {
  it('writes all of a text despite signals and slow readers', () => {
    const slow = descriptor('EINTR', 3, 'EAGAIN', 'EINTR', 1, 'EAGAIN')
    writeAll('hello world', slow.write, true)
    expect(slow.taken()).toBe('hello world')
  })

  it.each([
    ['EPIPE', true],
    ['EPIPE', false],
    ['EIO', true],
  ])('reports that its reader is gone: %s, on a terminal %s', (code, isTerminal) => {
    expect(() => writeAll('hello', descriptor(2, code).write, isTerminal)).toThrow(BrokenPipe)
  })

  it.each(['EPIPE', 'EIO'])('goes on after %s where the terminal is still there', (code) => {
    const there = descriptor(2, code, code, 1, code)
    writeAll('hello', there.write, true, () => true)
    expect(there.taken()).toBe('hello')
  })

  it('gives a terminal up that takes nothing', () => {
    const stuck = descriptor(...Array.from({ length: 30 }, () => 'EIO'))
    expect(() => writeAll('hello', stuck.write, true, () => true)).toThrow(BrokenPipe)
  })

  it('throws the reason for a disk failure', async () => {
    const failure = await thrown(() => writeAll('hello', descriptor('EIO').write, false))
    expect(failure).toMatchObject({ code: 'internal', message: 'cannot write the output: EIO' })
  })
})
