import { expect, it } from 'vitest'
import { readCallbacks } from '../../src/hooks/read-callbacks.ts'

const source = 'the program that drives pipe'

it('reads a hook of each callback', () => {
  const read = readCallbacks({
    PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['a', 'b'], timeout: 5, onFailure: 'block' }],
    Stop: [{ hookCallbackIds: ['c'] }],
  })
  const usual = { once: false, async: false, source }
  const bash = { ...usual, event: 'PreToolUse', matcher: 'Bash', timeoutMs: 5_000, blocksOnFailure: true }
  expect(read).toEqual({
    problems: [],
    hooks: [
      { ...bash, handler: { type: 'callback', id: 'a' } },
      { ...bash, handler: { type: 'callback', id: 'b' } },
      {
        ...usual,
        event: 'Stop',
        matcher: '',
        timeoutMs: 60_000,
        blocksOnFailure: false,
        handler: { type: 'callback', id: 'c' },
      },
    ],
  })
})

it('says which never run', () => {
  const read = readCallbacks({
    Setup: [{ hookCallbackIds: ['a'] }],
    PreToolUse: [
      { matcher: '(', hookCallbackIds: ['b'] },
      { matcher: 1, hookCallbackIds: ['c'] },
    ],
  })
  expect(read).toEqual({
    hooks: [],
    problems: [
      `${source}: hooks.Setup: this event is not supported`,
      expect.stringContaining(`${source}: hooks.PreToolUse: the matcher is not valid: `),
      `${source}: hooks.PreToolUse: the matcher is not valid: it is not text`,
    ],
  })
  expect(readCallbacks(undefined)).toEqual({ hooks: [], problems: [] })
})
