import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/args.ts'
import { options, ownersOf } from '../../src/cli/cli-options.ts'
import { commands } from '../../src/cli/commands/command-table.ts'
import type { Flags, OnDisk } from '../../src/cli/flags.ts'
import type { Option } from '../../src/cli/option.ts'
import { subcommands } from '../../src/cli/subcommands.ts'
import { thrown } from '../support/thrown.ts'

const table: readonly Option[] = options
const spelled = options.map(({ name }) => name)

const ids = ['01234567-89ab-7cde-8f01-23456789abcd', 'work', 'feature-x']

/** The sessions are `ids`, two are titled `nightly` and `Fix the lock`; the folders are `../lib`, `docs` and, in `sub`, `deep`; the files are of servers. */
const disk: OnDisk = {
  sessions: () => ids,
  hasTitle: async (title) => title === 'nightly' || title === 'Fix the lock',
  isFile: (word) => ['a.json', 'servers'].includes(word),
  isFolder: (word, cd) => (cd === 'sub' ? word === 'deep' : ['../lib', 'docs', 'task'].includes(word)),
}

/** Parses to the invocation with its flags as given and its action by name. */
async function parse(...argv: readonly string[]): Promise<object> {
  const invocation = await parseArguments(argv, disk)
  if (invocation.type === 'run') return { ...invocation, flags: flagsOf(invocation.flags) }
  if (invocation.type !== 'command') return invocation
  const { name, action, words, flags } = invocation
  return command([name, action.name ?? [], words].flat().join(' '), flagsOf(flags))
}

function flagsOf(flags: Flags): Record<string, readonly string[]> {
  const given = spelled.filter((name) => flags.has(name))
  return Object.fromEntries(given.map((name) => [name, flags.all(name)]))
}

function command(line: string, flags: Readonly<Record<string, readonly string[]>> = {}) {
  return { type: 'command', line, flags }
}

function run(prompt: string | undefined, flags: Readonly<Record<string, readonly string[]>> = {}) {
  return { type: 'run', prompt, flags }
}

function usage(message: string, help = 'pipe --help') {
  return { code: 'usage', message: `${message} (see ${help})` }
}

/** Returns a valid value of the option. */
function valueFor(option: Option): string {
  if (option.optional === 'session') return '0190ab'
  if (option.optional === 'language') return 'sql'
  if (option.optional === 'name') return 'fix-1'
  return option.choices?.[0] ?? 'some value'
}

/** A flag with its value as words of a command line. */
function written({ name, optional }: Option, value: string): readonly string[] {
  return optional === 'inline' ? [`--${name}=${value}`] : [`--${name}`, value]
}

const runFlags = table.filter(
  ({ name, command }) => name !== 'help' && name !== 'version' && command === undefined,
)

describe('a flag', () => {
  it.each(runFlags.filter(({ value }) => value === undefined))('--$name is a switch', async (option) => {
    const spellings = [option.name, camel(option.name), ...(option.aliases ?? [])].map((name) => `--${name}`)
    const shorts = option.short === undefined ? [] : [`-${option.short}`]
    for (const flag of [...spellings, ...shorts]) {
      expect(await parse(flag, 'do', 'it')).toEqual(run('do it', { [option.name]: [''] }))
    }
  })

  it.each(runFlags.filter(({ value }) => value !== undefined))('--$name takes a value', async (option) => {
    const value = valueFor(option)
    const expected = run('do it', { [option.name]: [value] })
    for (const name of [option.name, camel(option.name)]) {
      expect(await parse(`--${name}=${value}`, 'do it')).toEqual(expected)
      if (name === option.name) expect(await parse(...written(option, value), 'do it')).toEqual(expected)
    }
    if (option.short === undefined) return
    expect(await parse(`-${option.short}`, value, 'do it')).toEqual(expected)
    const joined = option.choices?.[0] ?? '0190ab'
    expect(await parse(`-${option.short}${joined}`, 'do it')).toEqual(
      run('do it', { [option.name]: [joined] }),
    )
  })

  it.each([
    ['--permission-mode', 'acceptEdits', 'accept-edits'],
    ['--permissionMode', 'bypassPermissions', 'bypass'],
    ['--sandbox', 'danger-full-access', 'off'],
  ])('accepts the words of other agents: %s %s', async (flag, word, ours) => {
    const name = flag === '--sandbox' ? 'sandbox' : 'permission-mode'
    expect(await parse(flag, word, 'hi')).toEqual(run('hi', { [name]: [ours] }))
  })

  it('lists only our words, and accepts each', async () => {
    expect(await thrown(() => parse('--sandbox', 'acceptEdits'))).toMatchObject(
      usage('--sandbox takes read-only, workspace-write, off, not "acceptEdits"'),
    )
  })

  it('may be spelled as in Claude Code', async () => {
    expect(
      await parse('--outputFormat', 'json', '--maxTurns', '3', '--appendSystemPrompt', 'x', 'hi'),
    ).toEqual(run('hi', { 'output-format': ['json'], 'append-system-prompt': ['x'], 'max-turns': ['3'] }))
    expect(await parse('--dangerously-skip-permissions', 'hi')).toEqual(run('hi', { yolo: [''] }))
    expect(await parse('--dangerouslySkipPermissions', 'hi')).toEqual(run('hi', { yolo: [''] }))
  })

  it('may appear anywhere before the dashes, with short switches combined', async () => {
    expect(await parse('do', '-qc', 'it', '--json', '--', '-v')).toEqual(
      run('do it -v', { continue: [''], json: [''], quiet: [''] }),
    )
  })

  it('uses its last value, or collects all if repeatable', async () => {
    const argv = ['-m', 'a/b', '-m', 'c/d', '-f', 'x', '--file=y', 'hi']
    const invocation = await parseArguments(argv, disk)
    const { flags } = invocation.type === 'run' ? invocation : expect.fail()
    expect([flags.text('model'), flags.all('file')]).toEqual(['c/d', ['x', 'y']])
  })

  it.each([
    ['--modle', 'unknown flag --modle; did you mean --model?'],
    ['--contineu', 'unknown flag --contineu; did you mean --continue?'],
    ['--zzzzzzzzzz', 'unknown flag --zzzzzzzzzz'],
    ['--print=yes', '--print takes no value'],
    ['--constructor', 'unknown flag --constructor'],
    ['--__proto__', 'unknown flag --__proto__'],
    ['--m', 'unknown flag --m; did you mean -m?'],
  ])('%s is rejected', async (flag, message) => {
    expect(await thrown(() => parse(flag, 'hi'))).toMatchObject(usage(message))
  })

  it('is rejected without its value', async () => {
    expect(await thrown(() => parse('hi', '--model'))).toMatchObject(
      usage('--model needs a value: PROVIDER/MODEL'),
    )
    expect(await thrown(() => parse('hi', '-m'))).toMatchObject(usage('-m needs a value: PROVIDER/MODEL'))
  })

  it('accepts a value that begins with a dash only if joined', async () => {
    expect(await thrown(() => parse('--model', '--json'))).toMatchObject(
      usage('--model needs a value; write one that begins with a dash as --model=--json'),
    )
    expect(await parse('--temperature=-1', 'hi')).toEqual(run('hi', { temperature: ['-1'] }))
    expect(await parse('-f', '-', 'hi')).toEqual(run('hi', { file: ['-'] }))
  })

  it.each(table.filter(({ choices, command }) => choices !== undefined && command === undefined))(
    '--$name accepts only its choices',
    async (option) => {
      for (const choice of option.choices ?? []) {
        expect(await parse(...written(option, choice), 'hi')).toEqual(run('hi', { [option.name]: [choice] }))
      }
      expect(await thrown(() => parse(...written(option, 'Nonsense'), 'hi'))).toMatchObject(
        usage(`--${option.name} takes ${option.choices?.join(', ')}, not "Nonsense"`),
      )
    },
  )

  it('with a value behind = alone leaves the next word to the prompt', async () => {
    expect(await parse('--each', 'csv')).toEqual(run('csv', { each: ['line'] }))
    expect(await parse('--each=jsonl', 'x')).toEqual(run('x', { each: ['ndjson'] }))
  })

  it('with a number is checked on use', async () => {
    const argv = ['--max-turns', '3', '--max-tokens', 'many', '--temperature=', 'hi']
    const invocation = await parseArguments(argv, disk)
    const { flags } = invocation.type === 'run' ? invocation : expect.fail()
    const number = (name: 'max-turns' | 'max-tokens' | 'temperature' | 'model') =>
      flags.number(name, (value) => value > 0, 'a number above 0')
    expect([number('max-turns'), number('model')]).toEqual([3, undefined])
    expect(await thrown(() => number('max-tokens'))).toMatchObject(
      usage('--max-tokens takes a number above 0, not "many"'),
    )
    expect(await thrown(() => number('temperature'))).toMatchObject(
      usage('--temperature takes a number above 0, not ""'),
    )
  })
})

describe('an argument with a leading dash and a blank', () => {
  it.each([
    '- fix the list',
    '-- fix the list',
    '-1 is wrong here',
    '-run the tests',
    '-make it work',
    '--verbose does nothing: mend it',
    '-\tfix',
  ])('is rejected, but is a prompt after the dashes: %j', async (text) => {
    const shown = JSON.stringify(text)
    const refusal = usage(
      `${shown} begins with a dash, as flags do; to send it as a prompt: pipe -- ${shown}`,
    )
    expect(await thrown(() => parse(text))).toMatchObject(refusal)
    expect(await thrown(() => parse('-p', text))).toMatchObject(refusal)
    expect(await parse('--', text)).toEqual(run(text))
  })

  it('may be a flag with a path', async () => {
    expect(await parse('-fmy notes.txt', '--system-prompt=- be brief', 'hi')).toEqual(
      run('hi', { file: ['my notes.txt'], 'system-prompt': ['- be brief'] }),
    )
  })
})

it('--fork takes a message behind the session', async () => {
  expect(await parse('--fork', '0190ab@55fcf45e', 'go on')).toEqual(
    run('go on', { fork: ['0190ab@55fcf45e'] }),
  )
  expect(await parse('--fork', 'work@55fcf45e')).toEqual(run(undefined, { fork: ['work@55fcf45e'] }))
  expect(await parse('--fork', 'work@other')).toEqual(run(undefined, { fork: ['work@other'] }))
})

describe.each(['--resume', '-r', '--fork'])('%s', (flag) => {
  const name = flag === '--fork' ? 'fork' : 'resume'

  it.each(['0190ab', '0190', 'abc1', 'abcdef', '012', ...ids])('takes %s', async (id) => {
    expect(await parse(flag, id, 'go', 'on')).toEqual(run('go on', { [name]: [id] }))
    expect(await parse(flag, id, 'go on')).toEqual(run('go on', { [name]: [id] }))
    expect(await parse(flag, id)).toEqual(run(undefined, { [name]: [id] }))
  })

  const prompts = ['go on', 'look at src/main.ts', 'echo $(id)', 'go\non', 'work@0190 go on']

  it.each(prompts)('leaves %j to the prompt, because no session has this title', async (word) => {
    expect(await parse(flag, word)).toEqual(run(word, { [name]: [''] }))
    expect(await parse(flag, word, '-q')).toEqual(run(word, { [name]: [''], quiet: [''] }))
    expect(await parse(flag, word, '-m', 'a/b')).toEqual(run(word, { [name]: [''], model: ['a/b'] }))
  })

  it.each(prompts)('rejects %j with a word behind it: it may be a title or a prompt', async (word) => {
    const given = JSON.stringify(word)
    for (const rest of [['hi'], ['then', 'stop'], ['-q', 'hi'], ['--', 'hi']])
      expect(await thrown(() => parse(flag, word, ...rest))).toMatchObject({
        code: 'input',
        message: `no session is titled ${given}; pipe sessions lists those of this folder. To send the words as a prompt to the last session: pipe ${flag} -- ${given} …`,
      })
  })

  it('takes a title with white space', async () => {
    expect(await parse(flag, 'Fix the lock', 'go on')).toEqual(run('go on', { [name]: ['Fix the lock'] }))
    expect(await parse(flag, 'Fix the lock')).toEqual(run(undefined, { [name]: ['Fix the lock'] }))
  })

  it.each([
    ['wrok', `did you mean ${flag} work?`],
    ['feature', `did you mean ${flag} feature-x?`],
  ])('rejects words close to a session id: %s', async (word, hint) => {
    for (const rest of [['go on'], ['go', 'on'], [], ['-q', 'go on']]) {
      expect(await thrown(() => parse(flag, word, ...rest))).toMatchObject({
        code: 'input',
        message: `no session is called ${word}; ${hint} To send the words as a prompt to the last session: pipe ${flag} -- ${word} …`,
      })
    }
    expect(await parse(flag, '--', word)).toEqual(run(word, { [name]: [''] }))
  })

  it.each([
    'nothing',
    'fix',
    'go',
    'add',
    'fade',
    'ABCDEF',
    'go...',
    '999',
    '@a.txt',
    'ann@example.org',
    'par@zzz',
  ])('rejects %s, which is no session, with a prompt behind it and without', async (word) => {
    for (const rest of [[], ['hi'], ['the', 'lock'], ['go on'], ['-q', 'go on'], ['--', 'go']]) {
      expect(await thrown(() => parse(flag, word, ...rest))).toMatchObject({
        code: 'input',
        message: expect.stringContaining(
          word.startsWith('@') ? `not a session id: "${word}"; ` : `no session is called ${word}; `,
        ),
      })
    }
    expect(await parse(flag, '--', word)).toEqual(run(word, { [name]: [''] }))
  })

  it.each(['', '../../etc/passwd', '..', '/etc/passwd', '$(id)', '0190ab/x'])('rejects %j', async (word) => {
    for (const rest of [[], ['-q'], ['is odd']]) {
      expect(await thrown(() => parse(flag, word, ...rest))).toMatchObject({
        code: 'input',
        message: expect.stringContaining(`not a session id: ${JSON.stringify(word)}; `),
      })
    }
  })

  it('rejects an empty name, as an unset variable gives it', async () => {
    const long = flag === '-r' ? '--resume' : flag
    expect(await thrown(() => parse(`${long}=`, 'hi'))).toMatchObject({
      code: 'input',
      message: `not a session id: ""; for the last session, leave out the =: pipe ${long} -- …`,
    })
  })

  it('may end the line', async () => {
    expect(await parse(flag)).toEqual(run(undefined, { [name]: [''] }))
    expect(await parse(flag, '--json')).toEqual(run(undefined, { [name]: [''], json: [''] }))
    expect(await parse('--', flag)).toEqual(run(flag))
  })
})

describe.each([
  ['--allowed-tools', 'allowed-tools'],
  ['--allowedTools', 'allowed-tools'],
  ['--disallowed-tools', 'disallowed-tools'],
])('%s', (flag, name) => {
  it.each([
    ['Read Edit', 'hi'],
    ['Read Edit Write', 'fix it'],
    ['Bash(ls) Bash(git:*) mcp__db mcp__db__query(x) WebSearch', 'fix it'],
    ['Read,Edit Grep,Glob', 'hi'],
    ['bash read', 'fix it'],
    ['Read', 'reading is slow'],
  ])('takes the rules %s, and sends "%s"', async (rules, prompt) => {
    expect(await parse(flag, ...rules.split(' '), prompt)).toEqual(run(prompt, { [name]: rules.split(' ') }))
    expect(await parse('-q', flag, ...rules.split(' '), '--', 'Edit')).toEqual(
      run('Edit', { [name]: rules.split(' '), quiet: [''] }),
    )
    expect(await parse(prompt, flag, ...rules.split(' '))).toEqual(run(prompt, { [name]: rules.split(' ') }))
  })

  it('takes rules that hold blanks, and ends at the first other word or flag', async () => {
    expect(await parse(flag, 'Read', 'Bash(git diff:*)', 'fix', 'it', 'Edit')).toEqual(
      run('fix it Edit', { [name]: ['Read', 'Bash(git diff:*)'] }),
    )
    expect(await parse(flag, 'Read', 'Edit', '-p', 'Write', 'it')).toEqual(
      run('Write it', { [name]: ['Read', 'Edit'], print: [''] }),
    )
    expect(await parse(`${flag}=Read`, 'Edit')).toEqual(run('Edit', { [name]: ['Read'] }))
    expect(await parse(flag, 'Read', 'Edit', 'sessions')).toEqual(
      command('sessions list', { [name]: ['Read', 'Edit'] }),
    )
  })

  it.each([['Edit'], ['mcp__db'], ['Grep', 'Edit'], ['Bash(git diff:*)']])(
    'needs no prompt on the line behind words that no sentence begins with: %s %s',
    async (...words) => {
      expect(await parse('-p', flag, 'Read', ...words)).toEqual(
        run(undefined, { [name]: ['Read', ...words], print: [''] }),
      )
    },
  )

  it.each([['read'], ['read', 'the', 'file'], ['task', 'list'], ['Edit', 'read']])(
    'asks for -- where a word may be a rule or the prompt: %s %s',
    async (...words) => {
      const meant = words.find((word) => !/^[A-Z]/.test(word)) ?? ''
      const shown = JSON.stringify(meant)
      expect(await thrown(() => parse(flag, 'Read', ...words))).toMatchObject(
        usage(
          `${shown} may belong to ${flag} or be the prompt; begin the prompt with --: pipe ${flag} … -- ${shown}. Without a prompt, repeat the flag: ${flag}=${shown}`,
        ),
      )
    },
  )
})

describe('--add-dir', () => {
  it('takes every folder that follows, also from the folder of -C', async () => {
    expect(await parse('--add-dir', 'a', '../lib', 'docs', 'fix', 'docs')).toEqual(
      run('fix docs', { 'add-dir': ['a', '../lib', 'docs'] }),
    )
    expect(await parse('--add-dir', '../lib', 'deep', 'docs', '-C', 'sub')).toEqual(
      run('docs', { 'add-dir': ['../lib', 'deep'], cd: ['sub'] }),
    )
    expect(await parse('--addDir', 'a', 'go')).toEqual(run('go', { 'add-dir': ['a'] }))
  })

  it.each([['docs'], ['task', 'list']])(
    'asks for -- where a folder may be the prompt: %s',
    async (...words) => {
      expect(await thrown(() => parse('--add-dir', '../lib', ...words))).toMatchObject({
        code: 'usage',
        message: expect.stringContaining(`"${words[0]}" may belong to --add-dir or be the prompt; `),
      })
    },
  )
})

describe('--tools', () => {
  it('takes every name that follows', async () => {
    expect(await parse('--tools', 'Read', 'Grep', 'mcp__db', 'look')).toEqual(
      run('look', { tools: ['Read', 'Grep', 'mcp__db'] }),
    )
    expect(await parse('--tools', '', 'say hi')).toEqual(run('say hi', { tools: [''] }))
    expect(await parse('--tools', 'Read', 'Bash(ls)')).toEqual(run('Bash(ls)', { tools: ['Read'] }))
  })
})

describe('--mcp-config', () => {
  it('takes every file and every JSON that follows', async () => {
    expect(await parse('--mcp-config', 'x.json', 'a.json', '{"b": {}}', 'go')).toEqual(
      run('go', { 'mcp-config': ['x.json', 'a.json', '{"b": {}}'] }),
    )
    expect(await parse('--mcpConfig', 'x.json', 'a.json')).toEqual(
      run(undefined, { 'mcp-config': ['x.json', 'a.json'] }),
    )
    expect(await parse('--mcp-config', 'x.json', 'b.json', 'go')).toEqual(
      run('b.json go', { 'mcp-config': ['x.json'] }),
    )
    expect(await thrown(() => parse('--mcp-config', 'x.json', 'servers'))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('"servers" may belong to --mcp-config or be the prompt; '),
    })
  })
})

describe.each([['--worktree'], ['-w']])('%s', (flag) => {
  it('takes a name, but no quoted prompt', async () => {
    expect(await parse(flag, 'fix-1', 'go on')).toEqual(run('go on', { worktree: ['fix-1'] }))
    expect(await parse(flag, 'fix the bug')).toEqual(run('fix the bug', { worktree: [''] }))
    expect(await parse(flag)).toEqual(run(undefined, { worktree: [''] }))
    expect(await parse('-qw', 'x', '-p', 'go')).toEqual(
      run('go', { quiet: [''], print: [''], worktree: ['x'] }),
    )
  })
})

it('-r takes the title of a session', async () => {
  expect(await parse('-r', 'nightly', 'go on')).toEqual(run('go on', { resume: ['nightly'] }))
})

it('-n is the title of a run, and the limit of a list', async () => {
  expect(await parse('-n', 'nightly', 'go')).toEqual(run('go', { name: ['nightly'] }))
  expect(await parse('sessions', '-n', '5')).toEqual(command('sessions list', { limit: ['5'] }))
})

describe('the line of another agent', () => {
  it.each([
    [['run', 'fix the bug'], 'pipe has no command run; write: pipe "fix the bug"'],
    [['run'], 'pipe has no command run; write: pipe "prompt"'],
    [['exec', 'fix the bug'], 'pipe has no command exec; write: pipe "fix the bug"'],
    [['exec', 'resume', '0190ab', 'go on'], 'pipe has no command exec; write: pipe -r 0190ab "go on"'],
    [['exec', 'resume', '--quiet', 'go on'], 'pipe has no command exec; write: pipe -c "go on"'],
    [['--message', 'fix it'], 'pipe has no flag --message; pipe "prompt" answers one prompt'],
    [
      ['--full-auto', 'fix it'],
      'pipe has no flag --full-auto; --permission-mode auto works without questions',
    ],
  ])('%j is told in our words', async (argv, message) => {
    expect(await thrown(() => parse(...argv))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    })
  })

  it.each([['exec the plan'], ['run the tests'], ['run', 'the', 'tests'], ['run', 'tests']])(
    '%s %s is a prompt',
    async (...words) => {
      expect(await parse(...words)).toEqual(run(words.join(' ')))
      expect(await parse('--', ...words)).toEqual(run(words.join(' ')))
    },
  )
})

it('-r may be the last of combined switches', async () => {
  expect(await parse('-qr')).toEqual(run(undefined, { quiet: [''], resume: [''] }))
  expect(await parse('-qr', 'go on')).toEqual(run('go on', { quiet: [''], resume: [''] }))
  expect(await parse('-pqr', 'work', 'go on')).toEqual(
    run('go on', { print: [''], quiet: [''], resume: ['work'] }),
  )
})

describe('the first word', () => {
  it.each([
    ['help', 'help'],
    ['help exit-codes', 'help exit-codes'],
    ['help sessions', 'help sessions'],
    ['demo', 'demo'],
    ['sessions', 'sessions list'],
    ['sessions list', 'sessions list'],
    ['sessions show 0190ab', 'sessions show 0190ab'],
    ['sessions export 0190ab page.html', 'sessions export 0190ab page.html'],
    ['sessions search flaky test', 'sessions search flaky test'],
    ['recall flaky test', 'recall flaky test'],
    ['models', 'models'],
    ['models sonnet', 'models sonnet'],
    ['auth', 'auth status'],
    ['auth status anthropic', 'auth status anthropic'],
    ['auth list', 'auth list'],
    ['auth set groq', 'auth set groq'],
    ['auth login groq', 'auth set groq'],
    ['auth logout groq', 'auth remove groq'],
    ['agents', 'agents list'],
    ['agents check a', 'agents check a'],
    ['undo', 'undo'],
    ['undo 3', 'undo 3'],
    ['audit', 'audit show'],
    ['audit list', 'audit list'],
    ['audit verify a', 'audit verify a'],
    ['audit feedback 0190ab think again', 'audit feedback 0190ab think again'],
    ['permissions', 'permissions list'],
    ['trust', 'trust add'],
    ['trust list', 'trust list'],
    ['doctor', 'doctor'],
    ['schema events', 'schema events'],
    ['task', 'task list'],
    ['task board', 'task list'],
    ['task add fix the lock', 'task add fix the lock'],
    ['task show V1St', 'task show V1St'],
    ['task log V1St', 'task log V1St'],
    ['task answer V1St', 'task answer V1St'],
    ['task answer V1St go on', 'task answer V1St go on'],
    ['task wait V1St', 'task wait V1St'],
    ['task wait V1St 9bJd', 'task wait V1St 9bJd'],
    ['task cancel V1St', 'task cancel V1St'],
    ['task cancel V1St too late', 'task cancel V1St too late'],
    ['task retry V1St', 'task retry V1St'],
    ['task diff V1St', 'task diff V1St'],
    ['task apply V1St', 'task apply V1St'],
    ['task discard V1St', 'task discard V1St'],
    ['worker', 'worker'],
    ['race fix the lock', 'race fix the lock'],
    ['race list', 'race list'],
    ['race list all files', 'race list all files'],
    ['race show 1a2b', 'race show 1a2b'],
    ['race apply 1a2b', 'race apply 1a2b'],
    ['race drop 1a2b', 'race drop 1a2b'],
  ])('of "%s" is a command', async (line, called) => {
    expect(await parse(...line.split(' '))).toEqual(command(called))
    expect(await parse('-C', 'a', ...line.split(' '), '--verbose')).toEqual(
      command(called, { cd: ['a'], verbose: [''] }),
    )
    expect(await parse('--', ...line.split(' '))).toEqual(run(line))
    expect(await parse('-p', ...line.split(' '))).toEqual(run(line, { print: [''] }))
    if (line.includes(' ')) expect(await parse(line)).toEqual(run(line))
  })

  it.each([
    ['trust', 'trust prints text, not json; json comes from pipe trust list'],
    ['trust add', 'trust add prints text, not json; json comes from pipe trust list'],
    [
      'race show 1a2b',
      'race show prints text, not json; json comes from pipe race, pipe race list, pipe race apply, pipe race drop',
    ],
    ['acp', 'acp prints text, not json'],
    ['attach', 'attach prints text or stream-json, not json'],
  ])('"%s" refuses --json, which it does not print, and names what does', async (line, said) => {
    const name = line.split(' ')[0] ?? ''
    expect(await thrown(() => parse(...line.split(' '), '--json'))).toMatchObject(
      usage(`pipe ${said}`, `pipe ${name} --help`),
    )
    expect(await thrown(() => parse(...line.split(' '), '-o', 'json'))).toMatchObject({ code: 'usage' })
  })

  it.each([
    [['--help'], []],
    [['-h', 'exit-codes'], ['exit-codes']],
    [['fix it', '--help'], []],
    [['-p', 'sessions', '--help'], []],
    [['sessions', '--help'], ['sessions']],
    [['-h', 'sessions', 'nonsense'], ['sessions']],
    [['mcp', '-h'], ['mcp']],
    [['help', '--help'], []],
  ])('%j asks for help', async (argv, topic) => {
    expect(await parse(...argv)).toEqual({ type: 'help', topic })
  })

  it.each(['help audit', 'help elf', 'help task state machine'])(
    '%s is the same with --help as without',
    async (line) => {
      expect(await parse(...line.split(' '), '--help')).toEqual(command(line, { help: [''] }))
    },
  )

  it.each([[['-V']], [['fix it', '--version', '--help']], [['sessions', '--version']]])(
    '%j asks for the version',
    async (argv) => {
      expect(await parse(...argv)).toEqual({ type: 'version' })
    },
  )

  it.each(subcommands)('%s never begins a prompt', async (name) => {
    for (const rest of [['the code'], ['nonsense', 'x'], ['are', 'very', 'slow', 'here'], ['x', '--', 'y']]) {
      const outcome = await parse(name, ...rest).catch((error: unknown) => error)
      expect(outcome).not.toMatchObject({ type: 'run' })
    }
    expect(await parse('-p', name)).toEqual(run(name, { print: [''] }))
    expect(await parse('--', name)).toEqual(run(name))
    expect(await parse('--json', '--', name)).toEqual(run(name, { json: [''] }))
    expect(await parse(`${name} the code`)).toEqual(run(`${name} the code`))
  })

  it.each([
    [
      'sessions nothing x',
      'does not take "nothing"; it takes list, show, export, tree, search, rename, fork, delete, prune, import. To send the words as a prompt: pipe -- sessions …',
    ],
    [
      'sessions exprot',
      'does not take "exprot"; did you mean pipe sessions export? To send the words as a prompt: pipe -- sessions …',
    ],
    ['sessions -o pdf', '-o takes text, json, not "pdf"'],
    ['sessions export work -o stream-json', '-o takes md, html, txt, json, not "stream-json"'],
    ['models -o html', '-o takes text, json, not "html"'],
    [
      'sessions lits',
      'does not take "lits"; did you mean pipe sessions list? To send the words as a prompt: pipe -- sessions …',
    ],
    ['sessions show', 'show needs ID'],
    [
      'permissions chekc',
      'does not take "chekc"; did you mean pipe permissions check? To send the words as a prompt: pipe -- permissions …',
    ],
    ['schema', 'needs one of events, session, config, audit, task, envelope'],
    [
      'schema x y',
      'does not take "x"; it takes events, session, config, audit, task, envelope. To send the words as a prompt: pipe -- schema …',
    ],
    ['models a b', '[FILTER] does not take "b". To send the words as a prompt: pipe -- models …'],
    ['doctor fix', 'does not take "fix". To send the words as a prompt: pipe -- doctor …'],
    ['audit feedback 0190ab', 'feedback needs TEXT'],
    ['audit feedback', 'feedback needs MESSAGE_ID and TEXT'],
    ['auth set', 'set needs PROVIDER'],
    ['task add', 'add needs TEXT'],
    ['task show', 'show needs ID'],
    ['task wait', 'wait needs ID'],
    ['race', 'needs TEXT'],
    ['race apply', 'apply needs ID'],
    ['race show', 'show needs ID'],
    ['race rm', 'drop needs ID'],
    [
      'task start',
      'does not take "start"; it takes list, add, show, log, answer, wait, diff, apply, discard, cancel, retry. To send the words as a prompt: pipe -- task …',
    ],
  ])('followed by a mistake is rejected: %s', async (line, message) => {
    const [name = ''] = line.split(' ')
    expect(await thrown(() => parse(...line.split(' ')))).toMatchObject(
      usage(message.startsWith('-') ? message : `pipe ${name} ${message}`, `pipe ${name} --help`),
    )
  })

  it.each(subcommands.filter((name) => commands[name] === undefined))(
    '%s reports that the command does not exist yet',
    async (name) => {
      for (const rest of [[], ['list'], ['--', 'x']]) {
        expect(await thrown(() => parse(name, ...rest))).toMatchObject(
          usage(`pipe ${name} is not part of this version. To send the words as a prompt: pipe -- ${name} …`),
        )
      }
    },
  )

  it.each([
    ['docter', 'doctor'],
    ['sesions list', 'sessions'],
    ['modles', 'models'],
    ['hepl', 'help'],
    ['session show work', 'sessions'],
  ])('close to a command is rejected: %s', async (line, close) => {
    const [first] = line.split(' ')
    expect(await thrown(() => parse(...line.split(' ')))).toMatchObject(
      usage(
        `there is no command ${first}; did you mean pipe ${close}? To send the words as a prompt: pipe -- ${first} …`,
      ),
    )
    expect(await parse('--', ...line.split(' '))).toEqual(run(line))
  })

  it.each([
    'login',
    'logout',
    'setup-token',
    'init',
    'update',
    'upgrade',
    'version',
    'resume',
    'exec',
    'status',
  ])('of another agent is rejected with our own: %s', async (word) => {
    for (const rest of [[], ['the', 'code'], ['the code'], ['--', 'x']]) {
      expect(await thrown(() => parse(word, ...rest))).toMatchObject({
        code: 'usage',
        message: expect.stringMatching(
          new RegExp(`^pipe has no command ${word}; .+ To send the words as a prompt: pipe -- ${word} … `),
        ),
      })
    }
    for (const mark of ['--', '-p']) expect(await parse(mark, word)).toMatchObject({ prompt: word })
    expect(await parse(`${word} the code`)).toEqual(run(`${word} the code`))
    expect(await parse('please', word)).toEqual(run(`please ${word}`))
  })

  it('of another agent is a prompt about data if people say that: git diff | pipe "review"', async () => {
    for (const words of [['review'], ['review', 'this']]) {
      expect(await parse(...words)).toMatchObject({
        prompt: words.join(' '),
        withoutData: usage(
          'pipe has no command review; pipe --agent review "prompt" reviews code. To send the words as a prompt: pipe -- review …',
        ),
      })
      expect(await parse('--', ...words)).toEqual(run(words.join(' ')))
    }
  })

  it.each([
    ['explain', 'demo'],
    ['model', 'training', 'is slow'],
    ['audits are slow'],
    ['test'],
    ['do'],
    [''],
  ])('begins a prompt: %s %s', async (...words) => {
    expect(await parse(...words)).toEqual(run(words.join(' ')))
  })

  it.each(table.filter((option) => ownersOf(option).length > 0))(
    'only $command accepts --$name',
    async (option) => {
      const { name } = option
      const owners = ownersOf(option)
      const value = option.value === undefined ? '' : valueFor(option)
      const flag = option.value === undefined ? `--${name}` : `--${name}=${value}`
      for (const owner of owners) {
        const actions = commands[owner]?.actions ?? []
        const action = actions.find(({ flags = [] }) => flags.some((one) => one === name)) ?? actions[0]
        const words = [...(action?.name === undefined ? [] : [action.name]), ...(action?.takes ?? [])]
        expect(await parse(owner, ...words, flag)).toMatchObject({
          type: 'command',
          flags: { [name]: [value] },
        })
        expect(await parse(owner, flag, '--help')).toEqual({
          type: 'help',
          topic: owner === 'help' ? [] : [owner],
        })
      }
      for (const words of [['do it'], ['models'], ['-p', ...owners]]) {
        expect(await thrown(() => parse(...words, flag))).toMatchObject(
          usage(`--${name} belongs to pipe ${owners.join(' and pipe ')}`),
        )
      }
    },
  )

  it.each([
    ['sessions list --keep 3', '--keep belongs to pipe sessions prune'],
    ['sessions delete x --older-than 90d', '--older-than belongs to pipe sessions prune'],
    ['task show x --priority normal', '--priority belongs to pipe task add'],
    ['task add x -f', '--follow belongs to pipe task log'],
    ['task wait x --comment y', '--comment belongs to pipe task answer'],
    ['task apply x --stat', '--stat belongs to pipe task diff'],
    ['race list --apply', '--apply belongs to pipe race'],
    ['sessions show x --yes', '--yes belongs to pipe sessions delete and prune'],
    ['race -m a/b,c/d --dry-run x', 'pipe race does not take --dry-run'],
    ['race -m a/b,c/d -t review x', 'pipe race does not take --template'],
    ['task add --patch x', 'pipe task does not take --patch'],
    ['serve -c', 'pipe serve does not take --continue'],
  ])('of one action is refused by the others: %s', async (line, message) => {
    expect(await thrown(() => parse(...line.split(' ')))).toMatchObject({
      code: 'usage',
      message: `${message} (see pipe ${line.split(' ')[0]} --help)`,
    })
  })

  it('that an alias may set is ignored by a command without a use for it', async () => {
    const flags = { model: ['a/b'], yolo: [''], quiet: [''] }
    expect(await parse('-m', 'a/b', '--yolo', '-q', 'sessions')).toEqual(command('sessions list', flags))
  })

  it('may have its own flag for a letter', async () => {
    expect(await parse('-C', 'a', 'task', 'log', 'V1St', '-f')).toEqual(
      command('task log V1St', { cd: ['a'], follow: [''] }),
    )
    expect(await parse('-f', 'task', 'log it')).toEqual(run('log it', { file: ['task'] }))
    expect(await parse('-p', 'task', '-f', 'a')).toEqual(run('task', { print: [''], file: ['a'] }))
    expect(await parse('--', 'task', '-f')).toEqual(run('task -f'))
  })

  it('rejects a key, and never sends one to a model', async () => {
    expect(await thrown(() => parse('auth', 'set', 'openai', 'sk-1'))).toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^a key on the command line is visible(?!.*sk-1)/),
    })
  })

  it('may be missing', async () => {
    expect(await parse()).toEqual(run(undefined))
  })
})

function camel(name: string): string {
  const [first = '', ...rest] = name.split('-')
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}
