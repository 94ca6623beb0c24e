import { describe, expect, it } from 'vitest'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

async function judge(command: string, rules: RuleLists = {}) {
  const decision = await testPolicy({ rules }).judge(callOf('bash', { command }))
  return [decision.behavior, decision.changesNothing ?? false]
}

describe('writing to a descriptor by its path', () => {
  it.each([
    'echo hi >/dev/stderr',
    'echo hi > /dev/stdout',
    'cat a 2>/dev/stdout',
    'sort <a >/dev/stdout',
    'sort <a 2>/dev/stdout >&2',
    'cat </dev/null >/dev/stderr',
    'cat - <a',
  ])('counts as read-only if no file is behind it: %s', async (command) => {
    expect(await judge(command)).toEqual(['allow', true])
  })

  // The system reopens the file behind the descriptor, for writing and from its start.
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
  ])('may change the file that is read: %s', async (command) => {
    expect(await judge(command)).toEqual(['ask', false])
  })

  it.each([
    'echo x <.env >/dev/stdin',
    'echo x <.env >>/dev/fd/0',
    'echo x 2<.env >/proc/self/fd/2',
    'tee /dev/stdin <.env',
    'dd of=/dev/stdin <.env',
  ])('counts as an edit of the file: %s', async (command) => {
    expect((await judge(command, { deny: ['Edit(.env)'], allow: ['Bash'] }))[0]).toBe('deny')
  })

  it('asks if the file is protected, whatever is allowed', async () => {
    const rules = { allow: ['Bash', 'Edit(**)'] }
    expect(await judge('echo x <.git/config >>/dev/stdin', rules)).toEqual(['ask', false])
  })
})

describe('a redirect that opens no file', () => {
  const everything = { allow: ['Bash(*)'] }

  it.each([
    ['Edit', 'ls 2>&1'],
    ['Edit(**)', 'ls 2>/dev/null'],
    ['Edit(//**)', 'npm test > /dev/null 2>&1'],
    ['Edit(1)', 'npm test 2>&1 | tail'],
    ['Edit', '(npm test; echo "$x" >&2) 2>&- | tail'],
  ])('is not an edit that %s forbids: %s', async (rule, command) => {
    expect((await judge(command, { ...everything, deny: [rule] }))[0]).toBe('allow')
  })

  it.each([
    'for i in 1 2; do npm test 2>&1; done',
    '(npm test) 2>&1 | tail',
    'make -j"$(nproc)" test 2>&1 | tail',
    'npm test "$X" > /dev/null 2>&1',
    'npm test "$x" >/dev/stderr',
    'cd sub && (npm test "$x") 2>&1',
  ])('needs only rules for the commands: %s', async (command) => {
    expect((await judge(command, everything))[0]).toBe('allow')
  })

  it.each([
    'echo "$x" >&$y',
    'echo "$x" >&word',
    'echo "$x" &>1',
    'echo "$x" >1',
    '(echo "$x") <a >/dev/stdin',
    '(echo "$x") <a >/dev/stdout',
    'cd sub && (npm test "$x") >1',
  ])('does not include %s', async (command) => {
    expect((await judge(command, everything))[0]).toBe('ask')
  })
})

describe('a word that the bash grammar misreads', () => {
  it.each([
    'cat - 2>/dev/null',
    'diff a - 2>/dev/null',
    'ls -1 | paste -sd, - 2>/dev/null',
    'echo - - &>/dev/null',
    'echo == Build == 2>&1',
    'grep -n == f',
    'echo "a" =~ b',
    '[[ a == b ]] && echo == 2>&1',
    'echo x$; echo y',
    '[ a == b ] && ls - 2>&1',
  ])('does not keep %j from counting as read-only', async (command) => {
    expect(await judge(command)).toEqual(['allow', true])
  })

  it.each([
    ['python3:*', "python3 - <<'EOF'\nprint(1)\nEOF"],
    ['git commit:*', "git commit -F - <<'EOF'\nx\nEOF"],
    ['gh pr create:*', "gh pr create --title x --body-file - <<'EOF'\nx\nEOF"],
    ['kubectl apply:*', 'kubectl apply -f - 2>&1'],
    ['git checkout:*', 'git checkout - 2>&1'],
  ])('does not keep Bash(%s) from allowing %j', async (rule, command) => {
    expect((await judge(command, { allow: [`Bash(${rule})`] }))[0]).toBe('allow')
  })
})

it.each(['ls \\\\\\\\server\\\\share', "cat '\\\\server\\share'"])(
  'asks about a file on another machine: %s',
  async (command) => {
    expect(await judge(command)).toEqual(['ask', false])
  },
)

it('allows two backslashes in a search pattern', async () => {
  expect(await judge("grep '\\\\.ts' f")).toEqual(['allow', true])
})
