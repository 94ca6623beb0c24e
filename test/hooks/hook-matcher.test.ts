import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { isAbout, patternFault } from '../../src/hooks/hook-matcher.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()

describe('a matcher', () => {
  it.each([
    ['', true],
    ['*', true],
    ['Bash', true],
    ['Edit|Bash', true],
    ['Edit, Bash', true],
    ['bash', true],
    ['Bas', false],
    ['BASH', false],
    ['Edit|Write', false],
    ['Bas.', true],
    ['^B', true],
    ['^ash', false],
    ['.*', true],
    ['Edit|^bash$', true],
    ['^(Edit|Bash)$', true],
    ['B.*s.*', true],
    ['B.*x', false],
    ['[Bb]ash', true],
    ['(Ba|ba)(sh|x)', true],
    ['^(?!Bash)', true],
  ])('%j is about Bash, which pipe calls bash: %s', async (matcher, expected) => {
    expect(await isAbout(matcher, ['Bash', 'bash'], { clock: systemClock, signal })).toBe(expected)
  })

  it('has its time from when its thread runs', async () => {
    const waits: number[] = []
    const clock = {
      ...systemClock,
      after: (ms: number, action: () => void) => {
        waits.push(ms)
        return systemClock.after(ms, action)
      },
    }
    const asked = thrown(() => isAbout('^(a+)+$', [`${'a'.repeat(60)}!`], { clock, signal }))
    expect(waits).toEqual([])
    expect(await asked).toMatchObject({ code: 'tool' })
    expect(waits).toEqual([1_000])
  })

  it('that would run for years is given up after a second', async () => {
    const error = await thrown(() =>
      isAbout('^(a+)+$', [`${'a'.repeat(60)}!`], { clock: systemClock, signal }),
    )
    expect(error).toMatchObject({ code: 'tool', message: 'its matcher takes too long' })
  })

  it('that would run for years ends with its turn', async () => {
    const controller = new AbortController()
    const asked = thrown(() =>
      isAbout('^(a+)+$', [`${'a'.repeat(60)}!`], { clock: systemClock, signal: controller.signal }),
    )
    controller.abort()
    expect(await asked).toMatchObject({ code: 'aborted' })
  })

  it('that is no regular expression, or too long, is found before it is used', () => {
    expect(patternFault('Edit|Write')).toBeUndefined()
    expect(patternFault('*')).toBeUndefined()
    expect(patternFault('(a+)+$')).toBeUndefined()
    expect(patternFault('(')).toContain('Unterminated group')
    expect(patternFault('a'.repeat(1_001))).toBe('it has more than 1000 characters')
  })
})
