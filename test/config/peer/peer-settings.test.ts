import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readPeerSettings } from '../../../src/config/peer/peer-settings.ts'
import { folderWith } from '../../support/folders/folder.ts'

type Files = Readonly<Record<string, object | string>>

async function read(files: Files, approves = false, below = '') {
  const folder = await folderWith(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
  )
  const sources = {
    root: join(folder, 'project'),
    home: join(folder, 'home'),
    mode: 'default',
    findTool: () => undefined,
    approves: () => approves,
    cwd: join(folder, 'project', below),
    decided: () => (approves ? true : undefined),
    folderFault: () => undefined,
  } as const
  const found = await readPeerSettings(sources)
  const short = (texts: readonly string[]) => texts.map((text) => text.replaceAll(`${folder}/`, ''))
  const layers = (list: typeof found.own) =>
    list.map(({ source, settings }) => [
      source.type,
      source.name.slice(folder.length + 1),
      settings.permissions,
    ])
  return {
    own: layers(found.own),
    project: layers(found.project),
    proposed: layers(found.proposed),
    folders: short(found.folders),
    wishes: short(found.wishes.map(({ kind, text }) => `${kind} ${text}`)),
    warnings: short(found.warnings),
    taken: short(found.taken),
    ignored: short(found.ignored),
    noBypass: short(found.noBypass.map(({ name }) => name)),
    noServers: found.noServers,
  }
}

const shared = 'project/.claude/settings.json'
const local = 'project/.claude/settings.local.json'
const own = 'home/.claude/settings.json'

it('takes deny and ask rules of all files, and allow rules only if they are approved', async () => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }], PreToolUse: [] }
  const files = {
    [own]: { permissions: { deny: ['Read(~/.ssh/**)'], allow: ['Bash(ls:*)'] }, model: 'opus', hooks },
    [shared]: `{ // for all
      "permissions": { "deny": ["Read(./.env)"], "ask": ["Bash(git push:*)"], "allow": ["Bash(npm test)"], } }`,
    [local]: { permissions: { allow: ['Bash(make)'] } },
  }
  const taken = [
    'rules of ~/.claude/settings.json apply: 1 deny',
    'rules of .claude/settings.json apply: 1 deny, 1 ask',
  ]
  const ignored = [
    '~/.claude/settings.json: no effect here, but pipe import-config claude copies them: allow rules: 1, hooks: Stop, PreToolUse',
    '~/.claude/settings.json: no effect here: model',
    '.claude/settings.json: allow rules wait for pipe trust: 1',
    '.claude/settings.local.json: allow rules wait for pipe trust: 1',
  ]
  expect(await read(files)).toEqual({
    own: [['user', own, { deny: ['Read(~/.ssh/**)'] }]],
    project: [['project', shared, { deny: ['Read(./.env)'], ask: ['Bash(git push:*)'] }]],
    proposed: [
      ['project', shared, { allow: ['Bash(npm test)'] }],
      ['local', local, { allow: ['Bash(make)'] }],
    ],
    folders: [],
    wishes: [],
    warnings: [],
    taken,
    ignored,
    noBypass: [],
    noServers: [],
  })
  const approved = await read(files, true)
  expect(approved.proposed).toEqual([])
  expect(approved.project).toEqual([
    ['project', shared, { deny: ['Read(./.env)'], ask: ['Bash(git push:*)'], allow: ['Bash(npm test)'] }],
    ['local', local, { allow: ['Bash(make)'] }],
  ])
})

it('takes a mode of the project that is stricter, and names all that has no effect', async () => {
  const file = (defaultMode: string) => ({
    [shared]: {
      permissions: { defaultMode, additionalDirectories: ['../x'] },
      env: { KEY: 'secret' },
      'a\nb': 1,
      hooks: {},
    },
  })
  const strict = await read(file('plan'))
  expect(strict.project).toEqual([['project', shared, { mode: 'plan' }]])
  expect(strict.ignored).toEqual([
    '.claude/settings.json: additionalDirectories: "../x": there is no such folder',
    `.claude/settings.json: no effect here: env, "a\\nb"`,
  ])
  const loose = await read(file('bypassPermissions'))
  expect(loose.project).toEqual([])
  expect(loose.ignored[1]).toContain('permissions.defaultMode')
})

it('takes limits of all files at once, and no approval of a server', async () => {
  const limits = { permissions: { disableBypassPermissionsMode: 'disable' } }
  const found = await read({
    [own]: limits,
    [shared]: { disabledMcpjsonServers: ['db', 1], enabledMcpjsonServers: ['x'], ...limits },
    [local]: { disabledMcpjsonServers: ['web'], permissions: { disableBypassPermissionsMode: 'no' } },
  })
  expect(found.noBypass).toEqual([own, shared])
  expect(found.noServers).toEqual(['db', 'web'])
  expect(found.ignored).toEqual(['.claude/settings.json: no effect here: enabledMcpjsonServers'])
  expect(found.taken).toEqual([
    '~/.claude/settings.json forbids the mode bypass',
    '.claude/settings.json forbids the mode bypass',
    'servers of .mcp.json that .claude/settings.json turns off: db',
    'servers of .mcp.json that .claude/settings.local.json turns off: web',
  ])
})

it('takes the mode bypass as forbidden by a file that cannot be read and may forbid it', async () => {
  const files = { [shared]: '{"permissions": {"disableBypassPermissionsMode": "disable"},}x', [local]: '{x' }
  expect((await read(files)).noBypass).toEqual([shared])
})

it('takes only what restricts of the folder of the run below the root, and names the rest', async () => {
  const below = 'project/sub/.claude/settings.json'
  const files = {
    [shared]: { permissions: { defaultMode: 'plan', allow: ['Bash(make)'] } },
    [local]: { permissions: { ask: ['Bash(git push:*)'] } },
    [below]: {
      permissions: {
        deny: ['Edit(/src/**)'],
        allow: ['Bash(make)'],
        defaultMode: 'default',
        additionalDirectories: ['/tmp'],
        disableBypassPermissionsMode: 'disable',
      },
      hooks: { Stop: [] },
    },
    'project/sub/.mcp.json': {},
  }
  const found = await read(files, true, 'sub')
  expect(found.project).toEqual([
    ['project', shared, { allow: ['Bash(make)'], mode: 'plan' }],
    ['local', local, { ask: ['Bash(git push:*)'] }],
    ['project', below, { deny: ['Edit(/src/**)'] }],
  ])
  expect(found.noBypass).toEqual([below])
  expect(found.folders).toEqual([])
  const why = 'not read, because the project is project; mkdir .pipe makes this folder a project of its own'
  expect(found.ignored.map((line) => line.replace(/\/\S*\/project;/, 'project;'))).toEqual([
    'sub/.claude/settings.json: no effect here: permissions.allow, permissions.defaultMode, permissions.additionalDirectories, hooks',
    `sub/.mcp.json: ${why}`,
  ])
})

it('takes a looser mode and folders once they are approved, and names what waits', async () => {
  const files = {
    [shared]: { permissions: { defaultMode: 'acceptEdits', additionalDirectories: ['../near', '~/far'] } },
    [local]: { permissions: { defaultMode: 'default' } },
    'near/x': '',
    'home/far/x': '',
  }
  const before = await read(files)
  expect([before.project, before.folders]).toEqual([[], []])
  expect(before.wishes).toEqual(['permissions.mode accept-edits', 'folders near', 'folders home/far'])
  expect(before.warnings).toEqual([
    '.claude/settings.json: not approved, so ignored: mode accept-edits, the folder near, the folder home/far; pipe trust shows and approves it',
  ])
  const after = await read(files, true)
  expect([after.folders, after.wishes, after.warnings]).toEqual([['near', 'home/far'], [], []])
  // The stricter of the two files wins.
  expect(after.project).toEqual([
    ['project', shared, { mode: 'accept-edits' }],
    ['local', local, { mode: 'default' }],
  ])
  expect(after.taken).toContain('folders of .claude/settings.json are added: near, home/far')
})

it('asks about what a deny rule may mean that cannot be read, and says so', async () => {
  const { project, warnings } = await read({
    [shared]: { permissions: { deny: ['Bash(rm', 'Read(x)'], ask: 'Bash' } },
  })
  expect(project).toEqual([['project', shared, { deny: ['Read(x)'], ask: ['Bash'] }]])
  expect(warnings).toEqual([
    `${shared}: the deny rule "Bash(rm" cannot be read, so pipe asks about every use of Bash`,
  ])
})

it.each([
  ['{"permissions":{"deny":["Bash(rm:*)"]},"env":{},"env":{}}', 'Bash,Edit,WebFetch,mcp__*'],
  ['{"permissions":{"ask":["Read(.env)"]}', 'Read,Bash,Edit,WebFetch,mcp__*'],
  ['{"permissions":{"\\u0064eny":["Bash"]}', 'Read,Bash,Edit,WebFetch,mcp__*'],
  [`{"permissions":{"deny":["Bash"]}}${' '.repeat(300_000)}`, 'Read,Bash,Edit,WebFetch,mcp__*'],
])('asks about what a file may restrict that cannot be read: %.60s', async (text, tools) => {
  const ask = tools.split(',')
  const found = await read({ [shared]: text, [own]: text })
  expect([found.own, found.project]).toEqual([[['user', own, { ask }]], [['project', shared, { ask }]]])
  expect(found.warnings).toEqual(
    Array.from({ length: 2 }, () =>
      expect.stringContaining(`do not apply; pipe asks about every use of ${ask.join(', ')} instead`),
    ),
  )
})

it('names a file that is broken or leads out of the project, and takes nothing of it', async () => {
  const broken = await read({ [shared]: '{ "permissions": ' })
  expect(broken.warnings).toEqual([expect.stringContaining('its rules and hooks do not apply')])
  const folder = await folderWith({ 'elsewhere.json': '{"permissions":{"deny":["Bash"]}}' })
  await mkdir(join(folder, 'project/.claude'), { recursive: true })
  await symlink('../../elsewhere.json', join(folder, shared))
  const found = await readPeerSettings({
    root: join(folder, 'project'),
    home: join(folder, 'home'),
    mode: 'default',
    findTool: () => undefined,
    approves: () => false,
    cwd: join(folder, 'project'),
    decided: () => undefined,
    folderFault: () => undefined,
  })
  expect(found.warnings).toEqual([`${join(folder, shared)}: ignored: it leads out of the project`])
})
