import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import given from '../../permission/command-lines.json' with { type: 'json' }
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, root } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { asks, linesOf } from './permissions-setup.ts'

describe('pipe permissions check', () => {
  it('judges each line of stdin by the rules of that line', async () => {
    const { pipe } = await openWorld()
    const run = await pipe(['permissions', 'check'], { input: linesOf(asks) })
    const answers = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expectRun(run, { stdout: expect.any(String) })
    expect(answers.map(({ decision }, i) => ({ ...given.lines[i], decision }))).toEqual(
      given.lines.map((line) => ({ ...line, decision: expect.toBeOneOf(line.expect) })),
    )
  })

  it('denies a line that it cannot read, and continues', async () => {
    const { pipe } = await openWorld()
    const lines = [
      'no json',
      '{"tool":"bash","input":{"command":"ls"},"rules":{"deny":["Bash("]}}',
      '{"tool":"bash","input":{"command":"ls"},"rules":{"mode":"x"}}',
      '{"tool":"bash","input":{"command":"ls"},"rules":{},"cwd":"x"}',
      '',
      '{"tool":"read","input":{"path":"a.txt"},"rules":{"deny":["Read(a.*)"]}}',
      '{"tool":"bash","input":{"command":"touch x"},"rules":{"interactive":false}}',
      '{"tool":"bash","input":{"command":"ls"}}',
    ]
    const run = await pipe(['permissions', 'check'], { input: lines.join('\n') })
    expectRun(run, { stdout: expect.any(String) })
    const answers = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ decision, rule }) => [decision, rule])).toEqual([
      ['deny', null],
      ['deny', null],
      ['deny', null],
      ['deny', null],
      ['deny', 'Read(a.*)'],
      ['deny', null],
      ['allow', null],
    ])
  })

  it.each([
    '{"tool":"bash"}',
    '{"tool":"bash","input":"ls"}',
    '{"tool":"bash","input":{"cmd":"ls"}}',
    '{"tool":"bash","input":{"command":["ls"]}}',
    '{"tool":"read"}',
    '{"tool":"grep","input":{"path":1}}',
    '{"tool":"bash","input":{"command":"ls"},"rules":{},"trusted":"no"}',
    '{"tool":"bash","input":{"command":"ls"},"rules":{"builtin_readonly":"no"}}',
    '{"tool":"bash","input":{"command":"ls"},"rules":{"interactive":0}}',
    '{"tool":"bash","input":{"command":"ls"},"rules":["Bash"]}',
    '{"tool":"bash","input":{"command":"ls"},"rules":{"allow":[{"rule":"Bash(ls)","match":["pwd"]}]}}',
    '{"tool":"bash","input":{"command":"ls"},"rules":{"allow":[{"rule":"Bash(ls)","not_match":["ls"]}]}}',
    '{"tool":"bash","input":{"command":"ls"},"rules":{"allow":[{"rule":"Bash(ls)","match":"ls"}]}}',
  ])('denies the invalid call %s', async (line) => {
    const { pipe } = await openWorld()
    const { stdout } = await pipe(['permissions', 'check'], { input: line })
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny', source: 'builtin', rule: null })
  })

  it('accepts rules that match their examples, and searches without a path', async () => {
    const { pipe } = await openWorld()
    const rules = { allow: [{ rule: 'Bash(make:*)', match: ['make a'], not_match: ['rm a'] }] }
    const lines = [
      { tool: 'bash', input: { command: 'make b' }, rules },
      { tool: 'grep', input: { pattern: 'x' }, rules },
    ]
    const { stdout } = await pipe(['permissions', 'check'], {
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    expect(
      stdout
        .split('\n')
        .slice(0, 2)
        .map((line) => JSON.parse(line).decision),
    ).toEqual(['allow', 'allow'])
  })

  it('judges one call by the settings, and reports the decision as exit code', async () => {
    const { pipe, configure, put } = await openWorld()
    await configure({ permissions: { deny: ['Bash(rm:*)'], allow: ['Bash(make:*)'] } })
    await put('.git/HEAD', '')
    await put(
      '.pipe/config.json',
      JSON.stringify({ permissions: { ask: ['Bash(make install)'], deny: ['Read(x)'] } }),
    )
    const check = (...flags: readonly string[]) => pipe(['permissions', 'check', ...flags])
    expectRun(await check('--command', 'ls'), { code: 0, stdout: 'allow: it only reads (builtin)\n' })
    expectRun(await check('--tool', 'bash', '--command', 'make all'), {
      code: 0,
      stdout: 'allow: Bash(make:*) allows it (Bash(make:*))\n',
    })
    expectRun(await check('--command', 'make install'), {
      code: 45,
      stdout: 'ask: Bash(make install) asks about it (Bash(make install))\n',
    })
    expectRun(await check('--command', 'sudo rm x'), {
      code: 50,
      stdout: 'deny: Bash(rm:*) forbids it (Bash(rm:*))\n',
    })
    expectRun(await check('--tool', 'read', '--path', 'x', '--json'), {
      code: 50,
      stdout: '{"decision":"deny","rule":"Read(x)","source":"project","reason":"Read(x) forbids it"}\n',
    })
    expectRun(await check('--tool', 'write', '--path', 'y', '--permission-mode', 'accept-edits'), {
      code: 0,
      stdout: 'allow: edits are accepted (accept-edits)\n',
    })
    expectRun(await check('--tool', 'fetch'), { code: 2, stdout: '', stderr: complaint('needs --url') })
    expectRun(await check('--url', 'https://example.org/'), {
      code: 45,
      stdout: expect.stringMatching(/^ask: /),
    })
  })

  it('judges nothing by a flag that it cannot use', async () => {
    const { pipe } = await openWorld()
    const lines: readonly (readonly [flags: string, words: string])[] = [
      ['--path a.txt', '--path needs --tool'],
      ['--path a.txt --json', '--tool read or --tool edit'],
      ['--command ls --path a.txt', 'judges a call of bash by --command, and not by --path'],
      ['--tool bash --path a.txt', 'judges a call of bash by --command, and not by --path'],
      ['--tool read --path a.txt --url x', 'judges a call of read by --path, and not by --url'],
    ]
    for (const [flags, words] of lines)
      expectRun(await pipe(['permissions', 'check', ...flags.split(' ')]), {
        code: 2,
        stdout: '',
        stderr: complaint(words),
      })
  })
})

describe('a rule for an unknown tool', () => {
  const settings = { permissions: { deny: ['Bsh(rm:*)', 'Todo'] } }
  const call = JSON.stringify({ tool: 'bash', input: { command: 'ls' } })
  const verdict = '{"decision":"allow","rule":null,"source":"builtin","reason":"it only reads"}\n'

  it.each([
    ['for a list', ['permissions', '--json'], undefined, expect.stringContaining('"rules"')],
    ['for one call', ['permissions', 'check', '--command', 'ls', '--json'], undefined, verdict],
    ['for lines', ['permissions', 'check'], `${call}\n${call}\n`, verdict.repeat(2)],
  ])('is reported once beside the answer %s', async (_, args, input, stdout) => {
    const { pipe, configure, home } = await openWorld()
    await configure(settings)
    expectRun(await pipe(args, input === undefined ? {} : { input }), {
      stdout,
      stderr: `pipe: ${join(home, 'config.json')}: unknown tool Bsh; the rule Bsh(rm:*) forbids nothing\n`,
    })
  })

  it('is not reported if each line has rules of its own', async () => {
    const { pipe, configure } = await openWorld()
    await configure(settings)
    const line = JSON.stringify({ tool: 'bash', input: { command: 'ls' }, rules: { deny: ['Bsh'] } })
    expectRun(await pipe(['permissions', 'check'], { input: line }), { stdout: verdict })
  })
})

describe('rules in the settings', () => {
  it('are listed with their file, and a rule for an unknown tool is reported', async () => {
    const { pipe, configure, put, home, cwd } = await openWorld()
    await configure({ permissions: { mode: 'plan', allow: ['Read'], deny: ['Bsh(rm:*)'] } })
    await put('.git/HEAD', '')
    await put('.pipe/config.json', JSON.stringify({ permissions: { deny: ['Edit(x)'], allow: ['Bash'] } }))
    const [own, project] = [join(home, 'config.json'), join(cwd, '.pipe/config.json')]
    const run = await pipe(['permissions'])
    expectRun(run, {
      stdout: `mode   plan\ndeny   Bsh(rm:*)  ${own}\ndeny   Edit(x)  ${project}\nallow  Read  ${own}\n`,
      stderr: expect.stringContaining('unknown tool Bsh; the rule Bsh(rm:*) forbids nothing'),
    })
    expect(run.stderr).toContain('ignored permissions.allow')
  })

  it('PERM-186: stop the start if they cannot be read or contradict their examples', async () => {
    const { pipe, configure } = await openWorld()
    const model = 'ollama/any'
    await configure({ model, permissions: { deny: ['Bash(rm'] } })
    expectRun(await pipe(['hello']), {
      code: 52,
      stdout: '',
      stderr: complaint(/config\.json:1:\d+: the rule "Bash\(rm"/),
    })
    await configure({ model, permissions: { deny: [{ rule: 'Bash(rm)', match: ['rm x'] }] } })
    expectRun(await pipe(['hello']), {
      code: 52,
      stdout: '',
      stderr: complaint('does not match its example "rm x"'),
    })
    await configure('{ "permissions": { "deny": [ "Bash(rm:*)" }')
    expectRun(await pipe(['hello']), { code: 52, stdout: '', stderr: complaint(/config\.json:1:\d+/) })
  })
})

it('the examples in the manual are correct', async () => {
  const manual = readFileSync(join(root, 'docs/permissions.md'), 'utf8')
  const blocks = (language: string) =>
    Array.from(manual.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g')), ([, text = '']) => text)
  const { pipe, configure } = await openWorld()
  const [calls = '', answers = ''] = blocks('jsonl')
  expectRun(await pipe(['permissions', 'check'], { input: calls }), { stdout: answers })
  const [settings = ''] = blocks('jsonc')
  await configure(settings)
  const { stdout } = await pipe(['permissions'])
  expect(stdout).toMatch(/^mode {3}default\ndeny {3}Read\(~\/\.ssh\/\*\*\)/)
})

describe('pipe permissions check on a terminal', () => {
  it('says what it reads before it waits for input', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'pipe permissions check; echo "ended $?"', { columns: 120, rows: 24 })
    await screen.until(
      /^pipe: reading calls from the terminal, one JSON object per line: .*Ctrl\+D ends the input$/,
    )
    screen.type('{"tool":"read","input":{"path":"a"}}\r')
    await screen.until(/"decision":"allow"/)
    screen.type('\u0004')
    await screen.until(/ended 0$/)
  })
})
