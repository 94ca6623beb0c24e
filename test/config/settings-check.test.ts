import fc from 'fast-check'
import { expect } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { isSettings } from '../../src/config/settings-check.generated.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { change, changesWith, onDisk } from '../json/changed.ts'
import { folderWith } from '../support/folders/folder.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'

/** Every setting. The compiler requires new ones. */
const everySetting: Required<import('../../src/config/settings.ts').Settings> = {
  model: 'mine/big',
  routes: { small: 'mine/small', best: ['mine/big', 'other/big'] },
  fallback: ['other/big'],
  prefer: 'cost',
  compaction: { auto: false },
  local: true,
  markdown: false,
  system_prompt: '',
  redact_sessions: true,
  elves: false,
  skills: false,
  plugins: false,
  actor: 'user_ann',
  actors: { user_ann: { kind: 'human', display_name: 'Ann' }, agent_fix: { capabilities: ['create_task'] } },
  tools: { task: true },
  memory: { enabled: true, budget: 3, tool: false, store: 'postgres://a@b/c' },
  recall: 'all',
  audit: 'full',
  stdin: 'data',
  permissions: {
    mode: 'plan',
    allow: ['bash(ls)', { rule: 'read', match: ['a'] }],
    ask: [],
    deny: ['fetch'],
  },
  sandbox: { mode: 'off', network: false, writable: ['~/a', '/b'] },
  bash: { env_drop: ['A'], env_keep: ['B'] },
  fetch: { allow_private: ['localhost'] },
  tasks: { store: 'postgresql://a@b/c' },
  tui: {
    theme: 'dark',
    notify: 'bell',
    cursor: true,
    editor: 'vim',
    keys: { send: 'ctrl+s', undo: ['a', 'b'] },
  },
  mcp_servers: {
    files: {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'x'],
      env: { A: 'b' },
      cwd: '/a',
      enabled: true,
      enabled_tools: ['a'],
      disabled_tools: ['b'],
      startup_timeout_sec: 1,
      tool_timeout_sec: 2,
    },
    web: { type: 'http', url: 'https://a.b', headers: { c: 'd' } },
  },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          {
            type: 'command',
            command: 'check',
            args: ['a'],
            timeout: 5,
            once: true,
            async: false,
            onFailure: 'block',
          },
        ],
      },
    ],
  },
  lsp: {
    typescript: { command: ['a', '--stdio'], extensions: ['.ts'], language_id: 'ts', disabled: true },
    go: { initialization_options: { a: { b: [1] } } },
  },
  formatters: { '.ts': ['prettier', '--stdin-filepath', '{file}'] },
  worktree: { setup: 'npm install' },
  serve: { hosts: ['pipe.example'], origins: ['https://app.example'], watchers: 400 },
  ca_file: '/a/ca.pem',
  providers: {
    mine: {
      dialect: 'openai-chat',
      base_url: 'https://x.example/v1',
      api_key_env: 'KEY',
      headers: { 'X-Team': 'a' },
      models: ['big'],
      quirks: { reasoning_effort: { low: 'l' }, call_id_length: 9, system_role: 'developer' },
    },
  },
  models: {
    'mine/big': {
      context_window: 1_000,
      thinking: { type: 'budget', min: 0, max: 9 },
      price: { input: 1, output: 2.5, long: { above: 5, input: 2, output: 3 } },
    },
    'mine/small': { thinking: { type: 'effort', levels: ['low'] } },
  },
}

const values = fc.constantFrom(
  ...['null', '0', '-1', '1', '0.5', '1e999', 'true', '""', '"text"', '[]', '[1]', '{}', '{"a":1}', '[{}]'],
  ...[
    '"a/b"',
    '["a/b"]',
    '"ftp://x"',
    '"user_x"',
    '"agent_x"',
    '"human"',
    '"none"',
    '"/x"',
    '9007199254740993',
  ],
)
const fields = fc.constantFrom('mood', 'mode', 'kind', 'model', 'type', 'constructor', 'a b')

sizedIt('accepts the settings that the schema accepts, and no others', () => {
  const counts = { accepted: 0, refused: 0 }
  expect(isSettings(everySetting)).toBe(true)
  fc.assert(
    fc.property(changesWith(fields, values), (made) => {
      const document = made.reduce(change, onDisk(everySetting))
      const { success } = settingsSchema.safeParse(document)
      expect(isSettings(document)).toBe(success)
      counts[success ? 'accepted' : 'refused']++
    }),
    { numRuns: sized(3_000, 400) },
  )
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(sized(200, 10))
})

it('leaves what the schema changes to the schema', async () => {
  const folder = await folderWith({
    'blanks.json': '{ "providers": { "mine": { "base_url": " https://x.example " } } }',
    'proto.json': '{ "tui": { "keys": { "__proto__": "a", "send": "b" } } }',
  })
  expect(await readSettings(`${folder}/blanks.json`)).toEqual({
    providers: { mine: { base_url: 'https://x.example' } },
  })
  const { tui } = await readSettings(`${folder}/proto.json`)
  expect(Object.keys(tui?.keys ?? {})).toEqual(['send'])
})
