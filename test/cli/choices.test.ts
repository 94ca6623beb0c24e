import { describe, expect, it } from 'vitest'
import { readChoices } from '../../src/cli/choices.ts'
import { readFlags } from '../../src/cli/flags.ts'
import { thrown } from '../support/thrown.ts'

const disk = {
  sessions: () => ['0199'],
  hasTitle: async () => false,
  isFolder: () => false,
  isFile: () => false,
}
const read = async (...argv: readonly string[]) => readChoices((await readFlags(argv, disk)).flags, true)

describe('the limits of a run', () => {
  it('are absent by default', async () => {
    const { limits, maxReplyTokens, temperature } = await read()
    expect({ limits, maxReplyTokens, temperature }).toEqual({ limits: {} })
  })

  it('come from the flags', async () => {
    const { limits, maxReplyTokens, temperature } = await read(
      ...['--max-turns', '3', '--max-tokens', '50000', '--max-cost', '0.25', '--max-time', '90s'],
      ...['--max-output-tokens', '100', '--temperature', '0.5'],
    )
    expect({ limits, maxReplyTokens, temperature }).toEqual({
      limits: { maxRounds: 3, maxTokens: 50_000, maxCostUsd: 0.25, maxTimeMs: 90_000 },
      maxReplyTokens: 100,
      temperature: 0.5,
    })
  })

  it.each([
    ['5', 5_000],
    ['0.5', 500],
    ['250ms', 250],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
  ])('read %s as %i milliseconds', async (text, maxTimeMs) => {
    expect((await read('--max-time', text)).limits).toEqual({ maxTimeMs })
  })

  it.each(['', '0', 'soon', '5x', '5m later', '-5'])('reject the time %j', async (text) => {
    expect(await thrown(() => read(`--max-time=${text}`))).toMatchObject({ code: 'usage' })
  })
})

describe('the session of a run', () => {
  it.each([
    [[], { type: 'new' }],
    [['--session', 'work'], { type: 'named', id: 'work' }],
    [['--continue'], { type: 'resume' }],
    [['--resume=0199', '--continue'], { type: 'resume', id: '0199' }],
    [['--fork=0199'], { type: 'fork', id: '0199' }],
    [['--fork=0199@ab12'], { type: 'fork', id: '0199', message: 'ab12' }],
    [['--fork=0199', '--session', 'copy'], { type: 'fork', id: '0199', as: 'copy' }],
    [['--resume=0199', '--fork-session', '-s', 'copy'], { type: 'fork', id: '0199', as: 'copy' }],
    [['--session', 'work', '--no-session'], { type: 'named', id: 'work' }],
  ])('for %j is %j', async (argv, session) => {
    expect((await read(...argv)).session).toEqual(session)
  })

  it.each([
    ['--continue', '--session=work'],
    ['--resume=0199', '--session=work'],
    ['--fork=0199', '--resume=0200'],
  ])('is one: %s with %s is refused', async (...argv) => {
    expect(await thrown(() => read(...argv))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('name two sessions'),
    })
  })

  it('is not saved with --no-session', async () => {
    expect([(await read()).isSaved, (await read('--no-session', '--continue')).isSaved]).toEqual([
      true,
      false,
    ])
  })
})

it('settings in flags become layers, the strongest last', async () => {
  const { layers, trusts } = await read(
    '-m',
    'a/b',
    '--yolo',
    '--allowed-tools',
    'Bash(git diff:*), Edit',
    '--trust',
  )
  expect({ layers, trusts }).toEqual({
    layers: [
      { source: { type: 'flag', name: '--model' }, settings: { model: 'a/b' } },
      { source: { type: 'flag', name: '--yolo' }, settings: { permissions: { mode: 'bypass' } } },
      {
        source: { type: 'flag', name: '--allowed-tools' },
        settings: { permissions: { allow: ['Bash(git diff:*)', 'Edit'] } },
      },
    ],
    trusts: true,
  })
})
