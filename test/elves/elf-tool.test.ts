import { describe, expect, it } from 'vitest'
import { elfTool, readElfCall } from '../../src/elves/elf-tool.ts'

describe('a call of the tool elf', () => {
  it.each([
    [{ prompt: 'look' }, { action: 'run', prompt: 'look', agent: 'general' }],
    [
      {
        action: 'run',
        prompt: 'look',
        agent: 'explore',
        model: 'a/b',
        background: 'true',
        isolation: 'none',
      },
      { action: 'run', prompt: 'look', agent: 'explore', model: 'a/b', background: true, isolation: 'none' },
    ],
    [
      { action: '', prompt: 'look', agent: '', model: '', id: '', isolation: '' },
      { action: 'run', prompt: 'look', agent: 'general' },
    ],
    [{ action: 'wait' }, { action: 'wait' }],
    [
      { action: 'wait', id: 'e1' },
      { action: 'wait', id: 'e1' },
    ],
    [
      { action: 'send', id: 'e1', prompt: 'go on' },
      { action: 'send', id: 'e1', prompt: 'go on' },
    ],
    [
      { action: 'stop', id: 'e1' },
      { action: 'stop', id: 'e1' },
    ],
  ])('is read from %j', (args, call) => {
    expect(readElfCall(args)).toEqual({ type: 'ok', value: call })
  })

  it.each([
    [{}, 'run needs prompt'],
    ['look', 'run needs prompt'],
    [{ action: 'send', id: 'e1' }, 'send needs prompt'],
    [{ action: 'send', prompt: 'x' }, 'send needs id'],
    [{ action: 'stop' }, 'stop needs id'],
    [{ action: 'fly', prompt: 'x' }, 'there is no action fly; use run, wait, send or stop'],
    [{ prompt: 'x', isolation: 'jail' }, 'isolation is worktree or none, not jail'],
  ])('is refused for %j', (args, reason) => {
    expect(readElfCall(args)).toEqual({ type: 'refused', reason })
  })
})

describe('the tool elf', () => {
  it('runs beside others, and waiting looks on', () => {
    const tool = elfTool(['check: checks'])
    expect(tool.description).toMatch(/More agents:\ncheck: checks$/)
    expect([
      tool.parallel?.({}),
      tool.looksOn?.({ action: 'wait' }),
      tool.looksOn?.({ prompt: 'x' }),
    ]).toEqual([true, true, false])
  })
})
