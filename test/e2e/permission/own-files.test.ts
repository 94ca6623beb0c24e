import { readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../../sandbox/sandboxed-project.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const key = 'sk-hunter2'

/** A world with a stored key, and settings that allow every edit and some commands. */
async function openOwned() {
  const world = await openWorld()
  const { server, home, configure } = world
  await configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    permissions: { allow: ['Edit(~/**)', 'Read(~/**)', 'Bash(cat:*)', 'Bash(echo:*)'] },
  })
  const keys = JSON.stringify({ version: 1, keys: { fake: key } })
  await writeFile(join(home, 'auth.json'), keys, { mode: 0o600 })
  const files = ['config.json', 'auth.json'] as const
  const contents = () => Promise.all(files.map((name) => readFile(join(home, name), 'utf8')))
  const [config = ''] = await contents()
  return {
    ...world,
    /** Whether settings and keys are unchanged, and no request contained the key. */
    isIntact: async () => {
      const told = server.requests.map(({ body }) => JSON.stringify(body)).join()
      return (await contents()).join() === [config, keys].join() && !told.includes(key)
    },
    /** The last text of each request after the first. */
    told: () => server.requests.slice(1).map(({ body }) => lastText(body)),
  }
}

const denied = (why: string) =>
  `tool: Permission denied: ${why}, and nobody can be asked for permission here. The call was not carried out.`

describe('PATH-194: the settings and keys of the user', () => {
  it.each(['default', 'accept-edits', 'auto'])(
    'need a permission in mode %s, even if a rule allows everything',
    async (mode) => {
      const { pipe, server, home, isIntact, told } = await openOwned()
      const [config, auth] = [join(home, 'config.json'), join(home, 'auth.json')]
      server.reply(
        use(['write', { path: config, content: '{}' }]),
        use(['write', { path: join(home, 'sessions/new.json'), content: '{}' }]),
        use(['read', { path: auth }]),
        use(['bash', { command: `echo '{}' > ${config}` }]),
        use(['bash', { command: `cat ${auth}` }]),
        say('Done.'),
      )
      // Without a sandbox, only the rules protect them.
      expectRun(await pipe(['--permission-mode', mode, '--sandbox', 'off', 'go']), {
        stdout: 'Done.\n',
        stderr: expect.any(String),
      })
      const own = "belongs to pipe's settings and records"
      expect(told()).toEqual([
        denied(`${config} ${own}`),
        denied(`${join(home, 'sessions/new.json')} ${own}`),
        denied(`${auth} holds keys`),
        denied(`${config} ${own}`),
        denied('it may read a file that holds keys'),
      ])
      expect(await isIntact()).toBe(true)
    },
  )

  it('are neither searched nor attached if they are part of the project', async () => {
    const { pipe, server, home, isIntact, told } = await openOwned()
    const cwd = dirname(home)
    server.reply(
      use(['grep', { pattern: 'sk-[h]unter' }]),
      use(['glob', { pattern: 'auth.*' }]),
      say('Done.'),
    )
    expectRun(await pipe(['go'], { cwd }), { stdout: 'Done.\n' })
    expect(told()).toEqual([expect.stringMatching(/^tool: no matches/), 'tool: no files found'])
    const stderr = complaint('home/auth.json is not attached: a deny rule hides it from the model')
    expectRun(await pipe(['what is @home/auth.json'], { cwd }), { code: 45, stdout: '', stderr })
    expect(await isIntact()).toBe(true)
  })

  it('are recognised through a link', async () => {
    const { pipe, server, home, isIntact, told } = await openOwned()
    const cwd = dirname(home)
    await symlink('home', join(cwd, 'link'))
    server.reply(
      use(['write', { path: 'home/config.json', content: '{}' }]),
      use(['read', { path: 'home/auth.json' }]),
      say('Done.'),
    )
    const env = { PIPE_HOME: join(cwd, 'link') }
    expectRun(await pipe(['-q', '--permission-mode', 'accept-edits', 'go'], { cwd, env }), {
      stdout: 'Done.\n',
    })
    expect(told()).toEqual([
      denied("home/config.json belongs to pipe's settings and records"),
      denied('home/auth.json holds keys'),
    ])
    expect(await isIntact()).toBe(true)
  })

  it.skipIf(!hasBubblewrap)(
    'cannot be changed, nor keys read, in the sandbox, even if the project is the home folder',
    async () => {
      const { pipe, server, home, isIntact, told } = await openOwned()
      const cwd = dirname(home)
      server.reply(
        ...[
          'echo x > project/made && cat project/made',
          'echo x > home/config.json',
          'echo x > home/new.json',
          'ls home/sessions/*.json > /dev/null && for f in home/sessions/*.json; do echo x > $f; done',
          'mv home gone',
          'f=home/auth; cat $f.json | wc -c',
          'f=home/auth; echo x > $f.json',
        ].map((command) => use(['bash', { command }])),
        say('Done.'),
      )
      expectRun(await pipe(['--permission-mode', 'auto', 'go'], { cwd }), {
        stdout: 'Done.\n',
        stderr: complaint('what commands change cannot be undone: the home folder'),
      })
      const [made, ...others] = told()
      expect(made).toBe('tool: x')
      expect(others).toEqual([
        ...Array(3).fill(expect.stringContaining('Read-only file system')),
        expect.stringMatching(/Device or resource busy/),
        expect.stringMatching(/^tool: 0$|Permission denied\n0$/m),
        expect.stringMatching(/Read-only file system|Permission denied/),
      ])
      expect(await isIntact()).toBe(true)
    },
  )
})

describe('a glob that points outside the project', () => {
  it('needs a permission', async () => {
    const { pipe, server, home } = await openWorld()
    await writeFile(join(home, 'secret.txt'), 'hunter2')
    server.reply(
      use(['glob', { pattern: '../home/*.txt' }]),
      use(['grep', { pattern: 'hunter', glob: '../home/*' }]),
      use(['grep', { pattern: 'hunter', glob: `${home}/*` }]),
      use(['grep', { pattern: 'hunter', glob: '{../home/*,a}' }]),
      use(['glob', { pattern: '{../home/*,a/b}' }]),
      say('Done.'),
    )
    expectRun(await pipe(['-q', 'go']), { stdout: 'Done.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual([
      denied('../home is outside the project'),
      denied('../home is outside the project'),
      denied(`${home} is outside the project`),
      expect.stringMatching(/^tool: no /),
      'tool: no files found',
    ])
  })
})
