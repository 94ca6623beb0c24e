import { expect, it } from 'vitest'
import { callOf, testPolicy } from '../support/permission/policy.ts'

const write = (input: string, id = 'p1') => callOf('process', { action: 'write', id, input })

/** The behaviours for these inputs, one after the other, where `rm` is denied. */
async function judged(...inputs: readonly ReturnType<typeof write>[]): Promise<readonly string[]> {
  const policy = testPolicy({ mode: 'bypass', rules: { deny: ['Bash(rm:*)'] } })
  const behaviors: string[] = []
  for (const input of inputs) behaviors.push((await policy.judge(input)).behavior)
  return behaviors
}

it.each([[['r', 'm x\n']], [['r\\', '\nm x\n']], [['r\\\n', 'm x\n']], [['ls\nr', 'm', ' x\n']]])(
  'is judged with the line that it goes on with: %j',
  async (pieces) => {
    const behaviors = await judged(...pieces.map((piece) => write(piece)))
    expect(behaviors.slice(0, 1)).toEqual(['allow'])
    expect(behaviors).toContain('deny')
  },
)

it('is judged by itself after the end of a line, and in another process', async () => {
  expect(await judged(write('r\n'), write('m x\n'))).toEqual(['allow', 'allow'])
  expect(await judged(write('r'), write('m x\n', 'p2'))).toEqual(['allow', 'allow'])
})

it('is judged whole if the pieces are judged at once', async () => {
  const policy = testPolicy({ mode: 'bypass', rules: { deny: ['Bash(rm:*)'] } })
  const decisions = await Promise.all(['r', 'm x\n'].map((piece) => policy.judge(write(piece))))
  expect(decisions.map(({ behavior }) => behavior)).toEqual(['allow', 'deny'])
})
