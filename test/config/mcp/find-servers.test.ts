import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expandServer, findToolServers, hasServers } from '../../../src/config/mcp/find-servers.ts'
import { folderWith } from '../../support/folders/folder.ts'

/** Finds the servers of a project with this file, which the user approves or not. */
async function found(file: unknown, own: Readonly<Record<string, object>> = {}, approves = true) {
  const root = await folderWith({ '.mcp.json': typeof file === 'string' ? file : JSON.stringify(file) })
  const trust = { root, approved: () => approves }
  const sources = { own: { path: '/home/config.json', servers: own }, trust }
  return { root, sources, ...(await findToolServers(sources)) }
}

const stdio = { type: 'stdio', command: 'npx', args: ['-y', 'files'], env: {} }

describe('the servers of a project', () => {
  it.each([
    ['with the wrapper', { mcpServers: { files: { command: 'npx', args: ['-y', 'files'] } } }],
    ['without it', { files: { command: 'npx', args: ['-y', 'files'] } }],
    [
      'with the one of an editor',
      { servers: { files: { type: 'stdio', command: 'npx', args: ['-y', 'files'] } } },
    ],
    ['with comments', '{ // ours\n "files": { "command": "npx", "args": ["-y", "files"], } }'],
  ])('are read %s', async (_, file) => {
    const { root, servers, notes } = await found(file)
    expect(notes).toEqual([])
    expect(servers.map(({ server }) => server)).toEqual([{ name: 'files', access: { ...stdio, cwd: root } }])
  })

  it('are read in the words of several agents', async () => {
    const { servers, notes } = await found({
      web: { type: 'http', url: 'https://a.b/mcp', headers: { 'X-Key': 'k' } },
      gem: { httpUrl: 'https://c.d', includeTools: ['one'], excludeTools: ['two'], timeout: 5_000 },
      codex: {
        command: 'run',
        http_headers: {},
        enabled_tools: ['a'],
        startup_timeout_sec: 2,
        tool_timeout_sec: 3,
      },
      numbers: { command: 'run', env: { PORT: 80, DEBUG: true } },
      off: { command: 'run', disabled: true },
      other: { command: 'run', oauth: {} },
    })
    expect(servers.map(({ server: { access, name, ...rest } }) => [name, access.type, rest])).toEqual([
      ['web', 'http', {}],
      ['gem', 'http', { only: ['one'], except: ['two'], callMs: 5_000 }],
      ['codex', 'stdio', { only: ['a'], startMs: 2_000, callMs: 3_000 }],
      ['numbers', 'stdio', {}],
      ['other', 'stdio', {}],
    ])
    expect(servers[3]?.server.access).toMatchObject({ env: { PORT: '80', DEBUG: 'true' } })
    expect(notes).toEqual([expect.stringMatching(/\.mcp\.json: "other": ignored the unknown field "oauth"$/)])
  })

  it('say how to sign in, in the words of several agents, and what is none of them is named', async () => {
    const given = { clientId: 'c', clientSecret: 's', callbackPort: 8080, scopes: ['a', 'b'] }
    const url = 'https://a.b/mcp'
    const { servers, notes, sources } = await found({
      ours: {
        url,
        oauth: { client_id: 'c', client_secret: 's', callback_port: 8080, scopes: ['a', 'b'] },
      },
      theirs: { url, oauth: { ...given, scopes: 'a b', elsewhere: true } },
      document: { url, oauth: { client_metadata_url: 'https://me.example/c.json' } },
      port: { url, oauth: { callbackPort: 99_999 } },
      scope: { url, oauth: { scopes: ['a b'] } },
      id: { url, oauth: { client_id: 7 } },
    })
    expect(servers.map(({ server: { access } }) => access)).toEqual([
      { type: 'http', url, headers: {}, oauth: given },
      { type: 'http', url, headers: {}, oauth: given },
      { type: 'http', url, headers: {}, oauth: { clientMetadataUrl: 'https://me.example/c.json' } },
    ])
    const path = `${sources.trust.root}/.mcp.json`
    expect(notes).toEqual([
      `${path}: "theirs": ignored the unknown field "oauth.elsewhere"`,
      `${path}: "port": oauth.callback_port takes a number from 1 to 65535`,
      `${path}: "scope": oauth.scopes takes a list of scopes`,
      `${path}: "id": oauth.client_id takes a text`,
    ])
  })

  it('lose only the entries that are broken', async () => {
    const { servers, notes } = await found({
      none: {},
      sse: { type: 'sse', url: 'https://a.b' },
      args: { command: 'run', args: [1] },
      text: 'run',
      'two\nlines': { command: 'run' },
      good: { command: 'run' },
    })
    expect(servers.map(({ server: { name, access } }) => [name, access.type])).toEqual([
      ['sse', 'http'],
      ['good', 'stdio'],
    ])
    expect(notes.map((note) => note.replace(/^.*\.mcp\.json: /, ''))).toEqual([
      '"none": it has neither a command nor a url',
      '"args": args takes a list of texts',
      '"text": expected an object',
      '"two\\nlines": a name has at most 64 visible characters',
    ])
  })

  it('are named with the fault if their file is broken, and are not read outside of the project', async () => {
    expect((await found('{ "a": ')).notes).toEqual([
      expect.stringMatching(/\.mcp\.json:1:\d+: not valid JSON/),
    ])
    const [outside, root] = [await folderWith({ 'x.json': '{"a": {"command": "b"}}' }), await folderWith()]
    await symlink(join(outside, 'x.json'), join(root, '.mcp.json'))
    const trust = { root, approved: () => true }
    const sources = { own: { path: '', servers: {} }, trust }
    expect(await findToolServers(sources)).toMatchObject({
      servers: [],
      notes: [`${root}/.mcp.json: ignored: it leads out of the project`],
    })
  })

  it('wait for a yes to all that starts them, and hide none of the user', async () => {
    const own = { files: { command: 'mine' } }
    const file = { files: { command: 'theirs' }, more: { command: 'run', args: ['a'] } }
    const first = await found(file, own, false)
    expect(first.servers.map(({ server, source }) => [server.name, source])).toEqual([['files', 'user']])
    expect(first.unapproved.map(({ server }) => server.name)).toEqual(['more'])
    const hash = first.unapproved[0]?.hash
    const [before, after] = await Promise.all(
      ['a', 'b'].map((id) => found({ web: { url: 'https://a.b', oauth: { client_id: id } } }, own, false)),
    )
    expect(before?.unapproved[0]?.hash).not.toBe(after?.unapproved[0]?.hash)
    for (const change of [{ args: ['b'] }, { command: 'other' }, { env: { A: 'b' } }, { cwd: 'x' }]) {
      const { unapproved } = await found({ more: { ...file.more, ...change } }, own, false)
      expect(unapproved[0]?.hash).not.toBe(hash)
    }
  })

  it('cost nothing where there are none', async () => {
    const root = await folderWith()
    const trust = { root, approved: () => true }
    expect(hasServers({ own: { path: '', servers: {} }, trust })).toBe(false)
  })
})

describe('the variables of a server', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are the texts of files
  const server = {
    name: 'a',
    access: {
      type: 'stdio',
      command: './bin/${NAME}',
      args: ['${PORT:-80}', '$PLAIN'],
      env: { T: '${TOKEN}' },
      cwd: '/p',
    },
  } as const
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above

  it('are put in place, with a default where there is one', () => {
    expect(expandServer({ server: server }, { env: { NAME: 'run', TOKEN: 't' }, folder: '/w' })).toEqual({
      type: 'ok',
      value: {
        name: 'a',
        access: { ...server.access, command: '/p/bin/run', args: ['80', '$PLAIN'], env: { T: 't' } },
      },
    })
  })

  it.each(['not a url', 'ftp://a.b', ''])('that make no URL of %j are named', (url) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a file
    const web = { name: 'a', access: { type: 'http', url: '${URL}', headers: {} } } as const
    expect(expandServer({ server: web }, { env: { URL: url }, folder: '/w' })).toEqual({
      type: 'refused',
      reason: 'its url is not an http or https URL',
    })
  })

  it('stand in what is said of signing in, too', () => {
    const oauth = { clientId: 'id', clientSecret: `$${'{TOKEN}'}`, scopes: ['a'] }
    const web = { name: 'a', access: { type: 'http', url: 'https://a.b', headers: {}, oauth } } as const
    expect(expandServer({ server: web }, { env: { TOKEN: 't' }, folder: '/w' })).toEqual({
      type: 'ok',
      value: { name: 'a', access: { ...web.access, oauth: { ...oauth, clientSecret: 't' } } },
    })
  })

  it('that are not set are named', () => {
    expect(expandServer({ server: server }, { env: { NAME: 'run' }, folder: '/w' })).toEqual({
      type: 'refused',
      reason: 'the variable TOKEN is not set',
    })
  })
})

it('names a server that another one of its name hides, and the one that counts', async () => {
  const root = await folderWith({
    '.mcp.json': JSON.stringify({ 'plugin:db:main': { command: 'theirs' }, web: { command: 'theirs' } }),
  })
  const trust = { root, approved: () => true }
  const servers = [{ name: 'main', path: '/p/.mcp.json', fields: { command: 'plugins' } }]
  const none = { skills: [], commands: [], agents: [], hooks: [] }
  const plugins = [{ name: 'db', root: '/p', data: '/d', ...none, servers }]
  const own = { path: '/home/config.json', servers: { web: { command: 'mine' } } }
  const { servers: counting, unapproved, hidden } = await findToolServers({ own, trust, plugins })
  expect(unapproved).toEqual([])
  expect(counting.map(({ server, source }) => [server.name, source])).toEqual([
    ['web', 'user'],
    ['plugin:db:main', 'plugin'],
  ])
  expect(hidden.map(({ one, by }) => [one.server.name, one.source, by.source])).toEqual([
    ['plugin:db:main', 'project', 'plugin'],
    ['web', 'project', 'user'],
  ])
})
