import { describe, expect, it } from 'vitest'
import { callOf, type RuleLists, testPolicy } from '../support/policy.ts'

async function judge(command: string, rules: RuleLists = {}) {
  const decision = await testPolicy({ rules }).judge(callOf('bash', { command }))
  return [decision.behavior, decision.changesNothing ?? false]
}

describe('a line that writes to a descriptor by its path', () => {
  it.each([
    'echo hi >/dev/stderr',
    'echo hi > /dev/stdout',
    'cat a 2>/dev/stdout',
    'sort <a >/dev/stdout',
    'sort <a 2>/dev/stdout >&2',
    'cat </dev/null >/dev/stderr',
    'cat - <a',
  ])('%s changes nothing', async (command) => {
    expect(await judge(command)).toEqual(['allow', true])
  })

  // The system opens the file behind the descriptor anew, for writing and from its beginning.
  it.each([
    'echo P <a >/dev/stdin',
    'true < a > /dev/stdin',
    'echo P <a >>/dev/stdin',
    'echo P <a >|/dev/stdin',
    'sort <a >/dev/stdin',
    'cat b <a >/dev/stdin',
    'cat b 2<a 1>/dev/stderr',
    'echo P 2<a >/dev/stderr',
    'echo P 1<a >/dev/stdout',
    'echo P <a >& /dev/stdin',
    'echo P 1</dev/null <a &>/dev/stdin',
    'echo P <a 1>&0 2>/dev/stdout',
    'echo P {x}<a 1>&$x 2>/dev/stdout',
    'echo x < a > //dev/stdin',
    'echo x < a > /dev/./stdin',
    'xargs echo P <a >/dev/stdin',
    'timeout 5 echo P <a >/dev/stdin',
    "bash -c 'echo P <a >/dev/stdin'",
    'echo P <a >/dev/fd/0',
    'echo P <a >/proc/self/fd/0',
    '{ echo P >/dev/stdin; } <a',
  ])('%s may change the file that is read', async (command) => {
    expect(await judge(command)).toEqual(['ask', false])
  })

  it.each([
    'echo x <.env >/dev/stdin',
    'echo x <.env >>/dev/fd/0',
    'echo x 2<.env >/proc/self/fd/2',
    'tee /dev/stdin <.env',
    'dd of=/dev/stdin <.env',
  ])('%s is an edit of the file to a rule', async (command) => {
    expect((await judge(command, { deny: ['Edit(.env)'], allow: ['Bash'] }))[0]).toBe('deny')
  })

  it('is asked about where the file is a protected one, whatever is allowed', async () => {
    const rules = { allow: ['Bash', 'Edit(**)'] }
    expect(await judge('echo x <.git/config >>/dev/stdin', rules)).toEqual(['ask', false])
  })
})
