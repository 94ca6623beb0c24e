import { expect, it } from 'vitest'
import { lentFrom } from '../../../src/cli/run/child-conversation.ts'
import { testPolicy } from '../../support/permission/policy.ts'

it('an elf has what was lent when it began, until that ends, and nothing that is lent later', () => {
  const policy = testPolicy()
  const rule = (text: string) => ({ text, behavior: 'allow', source: 'session' }) as const
  const early = lentFrom({ policy })
  const end = policy.lend([rule('Bash(one)')])
  const late = lentFrom({ policy })
  policy.lend([rule('Bash(two)')])
  const texts = () => [early, late].map((lent) => lent().map(({ text }) => text))
  expect(texts()).toEqual([[], ['Bash(one)']])
  end()
  expect(texts()).toEqual([[], []])
})
