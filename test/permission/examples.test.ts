import { describe, expect, it } from 'vitest'
import { checkExamples } from '../../src/permission/examples.ts'
import { type RuleText, readRule } from '../../src/permission/rules/rule.ts'
import { testWorld } from '../support/permission/policy.ts'
import { thrown } from '../support/thrown.ts'

const check = (rule: Omit<RuleText, 'source'>) =>
  checkExamples([readRule({ ...rule, source: 'user', origin: 'config.json' }, testWorld)], testWorld)

describe('the examples of a rule', () => {
  it.each<Omit<RuleText, 'source'>>([
    {
      text: 'Bash(rm:*)',
      behavior: 'deny',
      match: ['rm x', 'sudo rm -rf x'],
      notMatch: ['rmdir x', 'echo rm'],
    },
    {
      text: 'Bash(git diff:*)',
      behavior: 'allow',
      match: ['git diff --stat'],
      notMatch: ['git difftool', 'git diff > x'],
    },
    { text: 'Read(~/.ssh/**)', behavior: 'deny', match: ['~/.ssh/id_rsa'], notMatch: ['a.txt'] },
    {
      text: 'WebFetch(domain:*.a.com)',
      behavior: 'ask',
      match: ['https://b.a.com/x'],
      notMatch: ['https://a.org'],
    },
    { text: 'Bash(ls)', behavior: 'ask' },
  ])('pass if the rule matches them as stated: $text', async (rule) => {
    await check(rule)
  })

  it.each<[Omit<RuleText, 'source'>, string]>([
    [{ text: 'Bash(rm)', behavior: 'deny', match: ['rm x'] }, 'does not match its example "rm x"'],
    [{ text: 'Bash(rm:*)', behavior: 'deny', notMatch: ['sudo rm x'] }, 'matches its example "sudo rm x"'],
  ])('throw config with the failing example: %j', async (rule, expected) => {
    expect(await thrown(() => check(rule))).toMatchObject({
      code: 'config',
      message: `config.json: the rule ${JSON.stringify(rule.text)} ${expected}`,
    })
  })
})
