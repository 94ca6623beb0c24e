import { describe, expect, it } from 'vitest'
import { type Invocation, parseArguments } from '../../src/cli/args.ts'
import { type Option, options, subcommands } from '../../src/cli/options.ts'
import { thrown } from '../support/thrown.ts'

const table: readonly Option[] = options
const spelled = options.map(({ name }) => name)

/** What was asked for, the flags as given. */
function parse(...argv: readonly string[]): object {
  const invocation = parseArguments(argv)
  return 'flags' in invocation ? { ...invocation, flags: flagsOf(invocation) } : invocation
}

function flagsOf(invocation: Extract<Invocation, { flags: unknown }>): Record<string, readonly string[]> {
  const given = spelled.filter((name) => invocation.flags.has(name))
  return Object.fromEntries(given.map((name) => [name, invocation.flags.all(name)]))
}

function run(prompt: string | undefined, flags: Readonly<Record<string, readonly string[]>> = {}) {
  return { type: 'run', prompt, flags }
}

function usage(message: string) {
  return { code: 'usage', message: `${message} (pipe --help lists what there is)` }
}

/** A value that the option takes. */
function valueFor(option: Option): string {
  return option.choices?.[0] ?? (option.optionalId === true ? '0190ab' : 'some value')
}

const runFlags = table.filter(
  ({ name, command }) => name !== 'help' && name !== 'version' && command === undefined,
)

describe('a flag', () => {
  it.each(runFlags.filter(({ value }) => value === undefined))('--$name is a switch', (option) => {
    const spellings = [option.name, camel(option.name), ...(option.aliases ?? [])].map((name) => `--${name}`)
    const shorts = option.short === undefined ? [] : [`-${option.short}`]
    for (const flag of [...spellings, ...shorts]) {
      expect(parse(flag, 'do', 'it')).toEqual(run('do it', { [option.name]: [''] }))
    }
  })

  it.each(runFlags.filter(({ value }) => value !== undefined))('--$name takes a value', (option) => {
    const value = valueFor(option)
    const expected = run('do it', { [option.name]: [value] })
    for (const name of [option.name, camel(option.name)]) {
      expect(parse(`--${name}=${value}`, 'do it')).toEqual(expected)
      if (name === option.name) expect(parse(`--${name}`, value, 'do it')).toEqual(expected)
    }
    if (option.short === undefined) return
    expect(parse(`-${option.short}`, value, 'do it')).toEqual(expected)
    expect(parse(`-${option.short}${value}`, 'do it')).toEqual(expected)
  })

  it.each([
    ['--permission-mode', 'acceptEdits', 'accept-edits'],
    ['--permissionMode', 'bypassPermissions', 'bypass'],
    ['--sandbox', 'danger-full-access', 'off'],
  ])('takes the words of other agents: %s %s', (flag, word, ours) => {
    const name = flag === '--sandbox' ? 'sandbox' : 'permission-mode'
    expect(parse(flag, word, 'hi')).toEqual(run('hi', { [name]: [ours] }))
  })

  it('shows its own words only, and takes each where it belongs', async () => {
    expect(await thrown(() => parse('--sandbox', 'acceptEdits'))).toMatchObject(
      usage('--sandbox takes read-only, workspace-write, off, not "acceptEdits"'),
    )
  })

  it('may be spelled as Claude Code does', () => {
    expect(parse('--outputFormat', 'json', '--maxTurns', '3', '--appendSystemPrompt', 'x', 'hi')).toEqual(
      run('hi', { 'output-format': ['json'], 'append-system-prompt': ['x'], 'max-turns': ['3'] }),
    )
    expect(parse('--dangerously-skip-permissions', 'hi')).toEqual(run('hi', { yolo: [''] }))
    expect(parse('--dangerouslySkipPermissions', 'hi')).toEqual(run('hi', { yolo: [''] }))
  })

  it('may stand anywhere before the dashes, short switches together', () => {
    expect(parse('do', '-qc', 'it', '--json', '--', '-v')).toEqual(
      run('do it -v', { continue: [''], json: [''], quiet: [''] }),
    )
  })

  it('given again counts last, or adds up where it is repeatable', () => {
    const invocation = parseArguments(['-m', 'a/b', '-m', 'c/d', '-f', 'x', '--file=y', 'hi'])
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
    ['--json-schema', '--json-schema is not part of this version'],
    ['--jsonSchema', '--jsonSchema is not part of this version'],
    ['--tools', '--tools is not part of this version'],
    ['--input-format=text', '--input-format is not part of this version'],
    ['-i', '-i is not part of this version'],
    ['-j4', '-j is not part of this version'],
  ])('%s is refused', async (flag, message) => {
    expect(await thrown(() => parse(flag, 'hi'))).toMatchObject(usage(message))
  })

  it('without its value is refused', async () => {
    expect(await thrown(() => parse('hi', '--model'))).toMatchObject(
      usage('--model needs a value: PROVIDER/MODEL'),
    )
    expect(await thrown(() => parse('hi', '-m'))).toMatchObject(usage('-m needs a value: PROVIDER/MODEL'))
  })

  it('takes a value that begins with a dash only when they are joined', async () => {
    expect(await thrown(() => parse('--model', '--json'))).toMatchObject(
      usage('--model needs a value; one that begins with a dash is written --model=--json'),
    )
    expect(parse('--temperature=-1', 'hi')).toEqual(run('hi', { temperature: ['-1'] }))
    expect(parse('-f', '-', 'hi')).toEqual(run('hi', { file: ['-'] }))
  })

  it.each(table.filter(({ choices }) => choices !== undefined))(
    '--$name takes its choices only',
    async (option) => {
      for (const choice of option.choices ?? []) {
        expect(parse(`--${option.name}`, choice, 'hi')).toEqual(run('hi', { [option.name]: [choice] }))
      }
      expect(await thrown(() => parse(`--${option.name}`, 'Nonsense', 'hi'))).toMatchObject(
        usage(`--${option.name} takes ${option.choices?.join(', ')}, not "Nonsense"`),
      )
    },
  )

  it('that is a number is checked where it is used', async () => {
    const invocation = parseArguments(['--max-turns', '3', '--max-tokens', 'many', '--temperature=', 'hi'])
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

describe.each(['--resume', '-r', '--fork'])('%s', (flag) => {
  const name = flag === '--fork' ? 'fork' : 'resume'

  it.each(['0190ab', '0190', 'abc1', 'abcdef', '01234567-89ab-7cde-8f01-23456789abcd'])(
    'takes the id %s',
    (id) => {
      expect(parse(flag, id, 'go', 'on')).toEqual(run('go on', { [name]: [id] }))
      expect(parse(flag, id)).toEqual(run(undefined, { [name]: [id] }))
    },
  )

  it.each(['go on', 'go', '019', 'add', 'face', 'ABCDEF', 'go...', 'look at src/main.ts', 'echo $(id)'])(
    'leaves %s to the prompt',
    (word) => {
      expect(parse(flag, word)).toEqual(run(word, { [name]: [''] }))
    },
  )

  it.each(['../../etc/passwd', '..', '/etc/passwd', '$(id)', '0190ab/x'])(
    'refuses %s alone, and leaves it to a prompt of more words',
    async (word) => {
      for (const more of [[], ['-q']]) {
        expect(await thrown(() => parse(flag, word, ...more))).toMatchObject({
          code: 'input',
          message: `not a session id: ${JSON.stringify(word)}`,
        })
      }
      expect(parse(flag, word, 'is odd')).toEqual(run(`${word} is odd`, { [name]: [''] }))
      expect(parse(flag, '--', word)).toEqual(run(word, { [name]: [''] }))
    },
  )

  it('needs nothing after it', () => {
    expect(parse(flag)).toEqual(run(undefined, { [name]: [''] }))
    expect(parse(flag, '--json')).toEqual(run(undefined, { [name]: [''], json: [''] }))
    expect(parse('--', flag)).toEqual(run(flag))
  })
})

describe('the first word', () => {
  it.each([
    [['help'], { type: 'help', topic: 'usage' }],
    [['help', 'exit-codes'], { type: 'help', topic: 'exit-codes' }],
    [['--help'], { type: 'help', topic: 'usage' }],
    [['-h', 'exit-codes'], { type: 'help', topic: 'exit-codes' }],
    [['-V'], { type: 'version' }],
    [['fix it', '--version', '--help'], { type: 'version' }],
    [['demo'], { type: 'demo' }],
    [['sessions'], { type: 'sessions_list', flags: {} }],
    [['sessions', 'list', '--json'], { type: 'sessions_list', flags: { json: [''] } }],
    [['sessions', 'show', '0190ab'], { type: 'sessions_show', id: '0190ab', flags: {} }],
    [['models'], { type: 'models', filter: undefined, flags: {} }],
    [['models', 'sonnet', '--json'], { type: 'models', filter: 'sonnet', flags: { json: [''] } }],
    [['auth'], { type: 'auth', command: { action: 'status' }, flags: {} }],
    [['undo'], { type: 'undo', turns: 1, flags: {} }],
    [['audit'], { type: 'audit', command: { action: 'show' }, flags: {} }],
    [['audit', 'verify', 'a'], { type: 'audit', command: { action: 'verify', session: 'a' }, flags: {} }],
    [
      ['audit', 'feedback', '0190ab', 'think', 'again'],
      { type: 'audit', command: { action: 'feedback', message: '0190ab', text: 'think again' }, flags: {} },
    ],
    [['permissions'], { type: 'permissions', action: 'list', flags: {} }],
    [['trust'], { type: 'trust', action: 'add', flags: {} }],
    [['trust', 'list'], { type: 'trust', action: 'list', flags: {} }],
    [['--trust', 'list'], { type: 'run', prompt: 'list', flags: { trust: [''] } }],
    [
      ['permissions', 'check', '--tool', 'bash', '--command', 'ls'],
      { type: 'permissions', action: 'check', flags: { tool: ['bash'], command: ['ls'] } },
    ],
    [['undo', '3'], { type: 'undo', turns: 3, flags: {} }],
    [['auth', 'list'], { type: 'auth', command: { action: 'list' }, flags: {} }],
    [['auth', 'set', 'groq'], { type: 'auth', command: { action: 'set', provider: 'groq' }, flags: {} }],
    [['auth', 'login', 'groq'], { type: 'auth', command: { action: 'set', provider: 'groq' }, flags: {} }],
    [
      ['-C', 'a', 'auth', 'remove', 'groq'],
      { type: 'auth', command: { action: 'remove', provider: 'groq' }, flags: { cd: ['a'] } },
    ],
  ])('of %j is a command', (argv, expected) => {
    expect(parse(...argv)).toEqual(expected)
  })

  it.each([
    ['help', 'me', 'write', 'tests'],
    ['demo', 'the', 'login'],
    ['sessions', 'are', 'lost'],
    ['sessions', 'show', 'up', 'twice'],
    ['models', 'are', 'slow'],
    ['auth', 'is', 'broken'],
    ['auth', 'remove', 'the', 'login', 'page'],
    ['auth', 'set', 'up', 'with', 'cookies'],
    ['config', 'the', 'server'],
    ['undo', 'the last commit'],
    ['undo', '2', 'turns'],
    ['permissions', 'are', 'odd'],
    ['audit', 'the', 'code'],
    ['schema', 'the', 'database'],
    ['audit', 'verify', 'all', 'of it'],
    ['audit', 'feedback', 'of the users'],
    ['audit', 'the', 'auth', 'code', 'for', 'holes'],
    ['trust', 'me on this'],
    ['mcp', 'is', 'slow'],
    ['mcp', 'list', 'is', 'slow', 'here'],
    ['config', 'files'],
    ['sessions', 'export', 'all', 'of', 'it'],
    ['audit', 'list'],
    ['schema', 'evolution'],
    ['trust', 'me'],
    ['demo mode'],
    ['explain', 'demo'],
    [''],
  ])('of a sentence is a word: %s %s %s', (...words) => {
    expect(parse(...words)).toEqual(run(words.join(' ')))
  })

  it.each([
    ['permissions chekc', 'pipe permissions does not take "chekc"; did you mean pipe permissions check?'],
    ['sessions lits', 'pipe sessions does not take "lits"; did you mean pipe sessions list?'],
    ['schema event', 'pipe schema does not take "event"; did you mean pipe schema events?'],
  ])('with what is nearly one of its actions it is a mistake: %s', async (line, message) => {
    const words = line.split(' ')
    expect(await thrown(() => parse(...words))).toMatchObject(
      usage(`${message} to send the words as a prompt: pipe -- ${line}`),
    )
    expect(parse('--', ...words)).toEqual(run(line))
  })

  it.each([
    'sessions export 0190ab',
    'sessions delete',
    'sessions fork 0190ab',
    'mcp list',
    'mcp add mine cmd',
    'config show',
    'config set model a/b',
    'completion bash',
    'task list',
  ])('with what it is to do one day says that it does not yet: %s', async (line) => {
    expect(await thrown(() => parse(...line.split(' ')))).toMatchObject(
      usage(`pipe ${line} is not part of this version; to send the words as a prompt: pipe -- ${line}`),
    )
    expect(parse('-p', ...line.split(' '))).toEqual(run(line, { print: [''] }))
  })

  it.each(subcommands)('%s is a prompt after -p or --', (name) => {
    expect(parse('-p', name)).toEqual(run(name, { print: [''] }))
    expect(parse('--', name)).toEqual(run(name))
    expect(parse('--json', '--', name)).toEqual(run(name, { json: [''] }))
  })

  it.each(['events', 'session', 'config', 'audit'])('schema %s asks for that schema', (name) => {
    expect(parse('schema', name)).toEqual({ type: 'schema', name })
  })

  it.each(
    subcommands.filter(
      (name) =>
        ![
          'help',
          'demo',
          'sessions',
          'auth',
          'models',
          'undo',
          'permissions',
          'doctor',
          'trust',
          'audit',
          'schema',
        ].includes(name),
    ),
  )('%s alone says that there is no such command yet', async (name) => {
    expect(await thrown(() => parse(name))).toMatchObject(
      usage(`pipe ${name} is not part of this version; to send the word as a prompt: pipe -- ${name}`),
    )
  })

  it.each(table.filter(({ command }) => command !== undefined))(
    '$command alone takes --$name',
    async (option) => {
      const { name, command = '' } = option
      const value = option.value === undefined ? '' : valueFor(option)
      const flag = option.value === undefined ? `--${name}` : `--${name}=${value}`
      expect(parse(command, flag)).toMatchObject({ type: command, flags: { [name]: [value] } })
      for (const words of [['do it'], ['sessions'], ['-p', command]]) {
        expect(await thrown(() => parse(...words, flag))).toMatchObject(
          usage(`--${name} belongs to pipe ${command}`),
        )
      }
      expect(parse(command, flag, '--help')).toEqual({ type: 'help', topic: 'usage' })
    },
  )

  it('takes no key, and sends none to a model', async () => {
    expect(await thrown(() => parse('auth', 'set', 'openai', 'sk-1'))).toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^a key is not taken from the command line(?!.*sk-1)/),
    })
    for (const action of ['set', 'login', 'remove', 'logout']) {
      expect(await thrown(() => parse('auth', action))).toMatchObject({
        code: 'usage',
        message: `pipe auth ${action} needs a provider, as in pipe auth ${action} anthropic`,
      })
    }
  })

  it('may be missing', async () => {
    expect(parse()).toEqual(run(undefined))
    expect(await thrown(() => parse('sessions', 'show'))).toMatchObject(
      usage('pipe sessions show needs the id of a session'),
    )
  })
})

function camel(name: string): string {
  const [first = '', ...rest] = name.split('-')
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}
