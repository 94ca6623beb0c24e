import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findOffers } from '../../../src/config/peer/find-offers.ts'
import type { PeerAgent } from '../../../src/config/peer/import-offer.ts'
import { additionsOf, type PlannedAddition, planImport } from '../../../src/config/peer/import-plan.ts'
import { saveAdditions } from '../../../src/config/save.ts'
import { readSettings } from '../../../src/config/settings.ts'
import { readJsonWithComments } from '../../../src/config/settings-document.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { holder } from '../holder.ts'

type Files = Readonly<Record<string, object | string>>

/** A home with these files of other agents, and with the user's settings in `pipe.json`. */
async function home(files: Files) {
  const folder = await folderWith(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
  )
  const path = join(folder, 'pipe.json')
  const sources = {
    home: folder,
    env: {},
    root: join(folder, 'project'),
    ofProject: false,
    findTool: () => undefined,
  }
  const plan = async (agent?: PeerAgent, ofProject = false) => {
    const { offers, faults } = await findOffers(agent && [agent], { ...sources, ofProject })
    const plans = planImport(offers, { document: await readJsonWithComments(path), onlyServers: false })
    return { plans, faults }
  }
  return { folder, path, plan }
}

const said = (one: PlannedAddition) => {
  switch (one.type) {
    case 'server':
      return [one.name, one.entry]
    case 'rule':
      return `${one.behavior} ${one.rule}`
    case 'hooks':
      return [one.event, one.group]
    case 'model':
      return one.model
    case 'mode':
      return `${one.of}.mode ${one.mode}`
    case 'status_line':
      return ['tui.status_line', one.command]
  }
}

/** A variable as a text names it. */
const variable = (name: string) => `\${${name}}`

/** Reads one file of an agent. */
async function taken(file: string, content: object | string) {
  const { plan } = await home({ [file]: content })
  const { plans, faults } = await plan()
  return {
    additions: plans.flatMap(({ additions }) => additions.map(said)),
    left: plans.flatMap(({ left }) => left),
    faults,
  }
}

describe('the settings of another agent give', () => {
  it('servers of .claude.json, also those of this project alone', async () => {
    const { folder, plan } = await home({})
    const state = {
      numStartups: 7,
      mcpServers: { files: { type: 'stdio', command: 'npx', args: ['-y', 'files'], env: { KEY: 'abc' } } },
      projects: {
        [join(folder, 'project')]: {
          mcpServers: { docs: { type: 'http', url: 'https://docs.example/mcp' } },
        },
        '/elsewhere': { mcpServers: { other: { command: 'other' } } },
      },
    }
    await writeFile(join(folder, '.claude.json'), JSON.stringify(state))
    const { plans } = await plan('claude')
    expect(plans.flatMap(({ additions }) => additions.map(said))).toEqual([
      ['files', { command: 'npx', args: ['-y', 'files'], env: { KEY: 'abc' } }],
      ['docs', { type: 'http', url: 'https://docs.example/mcp' }],
    ])
  })

  it('rules, hooks and a model of .claude/settings.json', async () => {
    const group = { matcher: 'Bash', hooks: [{ type: 'command', command: './check.sh', timeout: 5 }] }
    expect(
      await taken('.claude/settings.json', {
        permissions: { allow: ['Bash(npm test)', 'Agent(x)'], deny: ['Read(./.env)'], defaultMode: 'plan' },
        hooks: { PreToolUse: [group], Stop: [{ hooks: 'broken' }] },
        model: 'claude-opus-4-6',
        effortLevel: 'high',
        env: { A: '1' },
      }),
    ).toEqual({
      additions: [
        'deny Read(./.env)',
        'allow Bash(npm test)',
        'allow Agent(x)',
        ['PreToolUse', group],
        'permissions.mode plan',
        'anthropic/claude-opus-4-6:high',
      ],
      left: ['hooks of "Stop": they cannot be read', 'env: no counterpart here'],
      faults: [],
    })
    expect((await taken('.claude/settings.json', { model: 'opus' })).left).toEqual([
      'model: it names a size, not a model; choose one with -m',
    ])
  })

  it.each([
    [{ permissions: { defaultMode: 'acceptEdits' } }, ['permissions.mode accept-edits'], []],
    [
      { permissions: { defaultMode: 'bypassPermissions' }, effortLevel: 'max' },
      [],
      [
        'effortLevel: a level goes with a model, as in model: "provider/model:xhigh"',
        'permissions.defaultMode: no import allows everything; --yolo does so for a run',
      ],
    ],
    [
      { permissions: { defaultMode: 'dontAsk' }, effortLevel: 1 },
      [],
      [
        'effortLevel: there is no such level of thinking',
        'permissions.defaultMode: no such mode can be set here',
      ],
    ],
  ])('the mode and the level of %j, unless they loosen or fit nothing', async (file, additions, left) => {
    expect(await taken('.claude/settings.json', file)).toEqual({ additions, left, faults: [] })
  })

  it.each([
    ['untrusted', 'read-only', ['permissions.mode default', 'sandbox.mode read-only'], []],
    [
      'never',
      'danger-full-access',
      [],
      [
        'approval_policy: for a run, --permission-mode dont-ask denies what would be asked',
        'sandbox_mode: only read-only and workspace-write are imported',
      ],
    ],
  ])('the approvals %s and the sandbox %s of config.toml', async (policy, sandbox, additions, left) => {
    const text = `approval_policy = "${policy}"\nsandbox_mode = "${sandbox}"\nmodel = "gpt-5"\nmodel_reasoning_effort = "low"\n`
    expect(await taken('.codex/config.toml', text)).toEqual({
      additions: [...additions, 'openai/gpt-5:low'],
      left,
      faults: [],
    })
  })

  it('a mode once, and not in place of another one', async () => {
    const settings = { permissions: { defaultMode: 'plan' } }
    const { path, plan } = await home({ 'pipe.json': {}, '.claude/settings.json': settings })
    await saveAdditions(path, additionsOf((await plan()).plans), holder)
    expect(await readSettings(path)).toEqual({ permissions: { mode: 'plan' } })
    expect((await plan()).plans.flatMap(({ additions, left }) => [...additions, ...left])).toEqual([])
    await writeFile(path, JSON.stringify({ permissions: { mode: 'auto' } }))
    expect((await plan()).plans).toMatchObject([
      { additions: [], left: ['permissions.mode plan: another one is chosen already'] },
    ])
  })

  it('the command of a status line, once, and not in place of another one', async () => {
    const statusLine = { type: 'command', command: '~/.claude/status.sh', padding: 0 }
    expect(await taken('.claude/settings.json', { statusLine })).toEqual({
      additions: [['tui.status_line', '~/.claude/status.sh']],
      left: ['statusLine.padding: no counterpart here'],
      faults: [],
    })
    for (const broken of [{ type: 'static', command: 'a' }, { type: 'command', command: ' ' }, 'a'])
      expect(await taken('.claude/settings.json', { statusLine: broken })).toEqual({
        additions: [],
        left: ['statusLine: it holds no command'],
        faults: [],
      })
    const { path, plan } = await home({
      'pipe.json': { tui: { theme: 'dark' } },
      '.claude/settings.json': { statusLine },
    })
    await saveAdditions(path, additionsOf((await plan()).plans), holder)
    expect(await readSettings(path)).toEqual({
      tui: { theme: 'dark', status_line: '~/.claude/status.sh' },
    })
    expect((await plan()).plans.flatMap(({ additions }) => additions)).toEqual([])
    await writeFile(path, JSON.stringify({ tui: { status_line: 'mine' } }))
    expect((await plan()).plans).toMatchObject([
      {
        additions: [],
        left: [
          'statusLine: your settings already have another one',
          'statusLine.padding: no counterpart here',
        ],
      },
    ])
  })

  it('servers and the model of config.toml, with the variables that they name', async () => {
    const text = `
model = "gpt-5"
approval_policy = "on-request"
[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"
http_headers = { X-Region = "eu" }
env_http_headers = { X-Team = "TEAM" }
[mcp_servers.files]
command = "npx"
args = ["-y", "files"]
env_vars = ["HOME_DIR"]
env = { LEVEL = "2" }
startup_timeout_sec = 20
enabled_tools = ["read"]
[mcp_servers.off]
command = "x"
enabled = false
`
    const headers = {
      'X-Region': 'eu',
      'X-Team': variable('TEAM'),
      Authorization: `Bearer ${variable('DOCS_TOKEN')}`,
    }
    expect(await taken('.codex/config.toml', text)).toEqual({
      additions: [
        ['docs', { type: 'http', url: 'https://docs.example/mcp', headers }],
        [
          'files',
          {
            command: 'npx',
            args: ['-y', 'files'],
            env: { HOME_DIR: variable('HOME_DIR'), LEVEL: '2' },
            enabled_tools: ['read'],
            startup_timeout_sec: 20,
          },
        ],
        'openai/gpt-5',
      ],
      left: [
        'MCP server "off": it is switched off',
        'approval_policy: no counterpart here; the modes accept-edits and auto ask less',
      ],
      faults: [],
    })
  })

  it('servers, rules and the model of Gemini', async () => {
    expect(
      await taken('.gemini/settings.json', {
        mcpServers: {
          docs: {
            httpUrl: 'https://docs.example/mcp',
            headers: { Authorization: 'Bearer $TOKEN' },
            timeout: 5000,
          },
          gone: { command: 'x' },
        },
        mcp: { excluded: ['gone'] },
        tools: { allowed: ['run_shell_command(git status)', 'read_file', 'other'], exclude: ['web_fetch'] },
        model: { name: 'gemini-3-pro' },
        ui: { theme: 'dark' },
      }),
    ).toEqual({
      additions: [
        [
          'docs',
          {
            type: 'http',
            url: 'https://docs.example/mcp',
            headers: { Authorization: `Bearer ${variable('TOKEN')}` },
            tool_timeout_sec: 5,
          },
        ],
        'deny WebFetch',
        'allow Bash(git status:*)',
        'allow Read',
        'gemini/gemini-3-pro',
      ],
      left: ['ui: no counterpart here', 'allowed "other": no counterpart here'],
      faults: [],
    })
  })

  it('servers, permissions and the model of opencode', async () => {
    const unlike =
      'no counterpart: here deny rules override all others, and pipe asks about calls that no rule names'
    expect(
      await taken(
        '.config/opencode/opencode.jsonc',
        `{
        // mine
        "model": "anthropic/claude-sonnet-4-6",
        "mcp": {
          "files": { "type": "local", "command": ["npx", "-y", "files"], "environment": { "KEY": "{env:KEY}" } },
          "docs": { "type": "remote", "url": "https://docs.example/mcp", "enabled": true },
        },
        "permission": { "edit": "ask", "bash": { "*": "deny", "git *": "allow" }, "task": "deny" },
      }`,
      ),
    ).toEqual({
      additions: [
        ['files', { command: 'npx', args: ['-y', 'files'], env: { KEY: variable('KEY') } }],
        ['docs', { type: 'http', url: 'https://docs.example/mcp' }],
        'ask Edit',
        'allow Bash(git *)',
        'anthropic/claude-sonnet-4-6',
      ],
      left: [`permission "bash", "*": ${unlike}`, `permission "task", "*": ${unlike}`],
      faults: [],
    })
  })

  it('the model of pi', async () => {
    expect(
      await taken('.pi/agent/settings.json', { defaultProvider: 'google', defaultModel: 'gemini-3' }),
    ).toEqual({
      additions: ['gemini/gemini-3'],
      left: [],
      faults: [],
    })
    expect(
      (await taken('.pi/agent/settings.json', { defaultProvider: 'mine', defaultModel: 'x' })).left,
    ).toEqual(['model "mine/x": no provider of this name is built in'])
  })
})

it('a broken file is named by its position, without its words, and the others count', async () => {
  const { plan } = await home({
    '.codex/config.toml': 'key = "secret',
    '.gemini/settings.json': '{ "a": ',
    '.pi/agent/settings.json': { defaultProvider: 'openai', defaultModel: 'gpt-5' },
  })
  const { plans, faults } = await plan()
  expect(faults).toEqual([
    expect.stringMatching(/\.codex\/config\.toml:1:\d+: not valid TOML/),
    expect.stringMatching(/\.gemini\/settings\.json:1:8: not valid JSON/),
  ])
  expect(faults.join()).not.toContain('secret')
  expect(plans.flatMap(({ additions }) => additions)).toHaveLength(1)
})

it('what is taken over stands beside what is there, with its comments, and is taken once', async () => {
  const own = `{
  // mine
  "model": "a/b",
  "permissions": { "deny": ["Bash(rm:*)"] },
  "mcp_servers": { "files": { "command": "mine" } } // end
}
`
  const { path, plan } = await home({
    'pipe.json': own,
    '.claude.json': { mcpServers: { files: { command: 'theirs' }, docs: { command: 'docs' } } },
    '.claude/settings.json': {
      permissions: { deny: ['Bash(rm:*)', 'Read(x)'] },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    },
    '.gemini/settings.json': { mcpServers: { docs: { command: 'docs' } }, model: 'gemini-3' },
  })
  const { plans } = await plan()
  expect(plans.flatMap(({ left }) => left)).toEqual([
    'MCP server "files": your settings already have one of this name',
    'model "gemini/gemini-3": another model is chosen already',
  ])
  await saveAdditions(path, additionsOf(plans), holder)
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^\{\n {2}\/\/ mine\n {2}"model": "a\/b",[\s\S]*\/\/ end\n/)
  expect(await readSettings(path)).toEqual({
    model: 'a/b',
    permissions: { deny: ['Bash(rm:*)', 'Read(x)'] },
    mcp_servers: { files: { command: 'mine' }, docs: { command: 'docs' } },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
  })
  const again = await plan()
  expect(again.plans.flatMap(({ additions }) => additions)).toEqual([])
  await saveAdditions(path, additionsOf(again.plans), holder)
  expect(await readFile(path, 'utf8')).toBe(text)
})

it('looks into the project if it is told to', async () => {
  const { plan } = await home({ 'project/.codex/config.toml': '[mcp_servers.x]\ncommand = "x"\n' })
  expect((await plan()).plans).toEqual([])
  const { plans } = await plan(undefined, true)
  expect(plans.flatMap(({ additions }) => additions.map(said))).toEqual([['x', { command: 'x' }]])
})
