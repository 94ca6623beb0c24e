import { expect, it } from 'vitest'
import { openSearchThread } from '../../../src/builtin/search/search-thread.ts'

const task = { flags: 'u', multiline: false, context: 0, counts: false, maxMatches: 3, maxLine: 5 }
const bytes = (text: string) => new TextEncoder().encode(text)

it('does not block the main thread with a runaway expression, which ends on abort', async () => {
  const abort = new AbortController()
  const stuck = openSearchThread({ ...task, source: '^(a+)+$' }, abort.signal)
  const other = openSearchThread({ ...task, source: 'hit' }, abort.signal)
  try {
    const searching = stuck.search(bytes(`${'a'.repeat(64)}!`))
    const found = await other.search(bytes('miss\nhit'))
    expect(found).toEqual({ matches: 1, lines: [{ number: 2, before: '', rest: 'hit', isMatch: true }] })
    abort.abort()
    await expect(searching).rejects.toMatchObject({ code: 'aborted' })
    await expect(other.search(bytes('hit'))).rejects.toMatchObject({ code: 'aborted' })
  } finally {
    await Promise.all([stuck.close(), other.close()])
  }
})

it('searches files one by one, and limits matches and line lengths', async () => {
  const thread = openSearchThread({ ...task, source: 'h', context: 1 }, new AbortController().signal)
  try {
    const first = await thread.search(bytes('1\n----------hhhhhhhh\n3\n4\nh\nh\nh\n8\n'))
    expect(first.lines.map(({ number, before, rest }) => [number, before + rest])).toEqual([
      ...[[1, '1'] as const, [2, '-----hhhhh'] as const, [3, '3'] as const, [4, '4'] as const],
      ...[[5, 'h'] as const, [6, 'h'] as const],
    ])
    expect(first.matches).toBe(3)
    expect(await thread.search(bytes('no\n'))).toEqual({ matches: 0, lines: [] })
  } finally {
    await thread.close()
  }
})
