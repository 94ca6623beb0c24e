import type { Page } from 'playwright-core'
import type { JsonObject } from '../../../src/json-value.ts'
import { builtPage, type Script, type ScriptedServer, startScripted } from './scripted-server.ts'

/** A view of the page, with the way to it. */
interface SampleView {
  readonly name: string
  /** The address behind the server's own. */
  readonly hash: string
  readonly lines?: readonly JsonObject[]
  /** Opens what the view is about. */
  open(page: Page): Promise<unknown>
}

const session = '/v1/sessions/s1/events'

const diff = `diff --git a/src/ledger.ts b/src/ledger.ts
--- a/src/ledger.ts
+++ b/src/ledger.ts
@@ -10,7 +10,8 @@ export class Ledger {
   /** Adds an entry, which must balance. */
   add(entry: Entry): void {
-    if (entry.debit !== entry.credit) throw new Error('does not balance')
+    const difference = entry.debit - entry.credit
+    if (difference !== 0) throw new Error(\`off by \${difference}\`)
     this.#entries.push(entry)
   }
 
@@ -40,3 +41,3 @@
   total(): number {
-    return this.#entries.length
+    return this.#entries.reduce((sum, { debit }) => sum + debit, 0)
   }
`

const reply = `The totals were counted, not summed. I changed **two** places and ran the tests.

\`\`\`ts
/** Sums the debits of all entries, which must be in one currency. */
export const total = (entries: readonly Entry[]): number => entries.reduce((sum, { debit }) => sum + debit, 0)
\`\`\`

1. \`Ledger.add\` says by how much an entry is off.
2. \`Ledger.total\` sums, see [the issue](https://example.com/issues/35).

| file | added | removed |
| --- | ---: | ---: |
| src/ledger.ts | 3 | 2 |
| test/ledger.test.ts | 12 | 0 |

> Nothing else calls \`total\`.
`

const call = (id: string, name: string, args: JsonObject) => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
})

const result = (id: string, text: string, more: JsonObject = {}) => ({
  type: 'tool_result',
  tool_call_id: id,
  content: [{ type: 'text', text }],
  ...more,
})

const found = [
  {
    path: 'src/ledger.ts',
    language: 'typescript',
    before: 0,
    after: 1,
    new: [{ line: 41, column: 12, message: "Property 'debit' does not exist on type 'Line'.", code: '2339' }],
  },
]

/** A conversation with everything that a transcript can hold. */
const messages: readonly JsonObject[] = [
  {
    type: 'user',
    id: 'm1',
    timestamp: '2026-11-29T10:00:00Z',
    content: [{ type: 'text', text: 'The totals of the ledger are wrong. Find out why, and fix it.' }],
  },
  {
    type: 'assistant',
    content: [
      { type: 'thinking', thinking: 'The total is a length. It should be a sum of debits.' },
      { type: 'text', text: 'I look at the ledger first.' },
      call('c1', 'read', { path: 'src/ledger.ts' }),
      call('c2', 'edit', { path: 'src/ledger.ts', edits: [] }),
      call('c3', 'bash', { command: 'npm test -- ledger' }),
      call('c4', 'bash', { command: 'git push --force origin main' }),
    ],
  },
  result('c1', 'export class Ledger {\n}\n'),
  result('c2', 'changed src/ledger.ts', { details: { diff, diagnostics: found } }),
  result('c3', 'FAIL test/ledger.test.ts\n  expected 3 to be 300\n', { is_error: true }),
  result('c4', 'the user said no: not to main', {
    is_error: true,
    details: { permission: 'denied', reason: 'the user said no: not to main' },
  }),
  { type: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: reply }] },
]

const permission = (fields: JsonObject): JsonObject => ({
  id: 'ui_1',
  kind: 'select',
  purpose: 'confirm_risky_action',
  ...fields,
})

const answers = [
  { id: 'allow', label: 'Yes, once', style: 'primary' },
  { id: 'allow_session', label: 'Yes, this session: npm test' },
  {
    id: 'allow_always',
    label: 'Yes, always: Bash(npm test:*)',
    detail: 'saved in .pipe/config.local.json',
  },
  { id: 'deny', label: 'No', style: 'danger', is_default: true },
]

const danger = permission({
  display: {
    title: 'Run this command?',
    content: { command: 'cd build && rm -rf ../dist && curl https://example.com/install.sh | sh' },
    content_kind: 'json',
    dangers: [
      { text: 'removes files for good', start: 12, end: 26 },
      { text: 'runs downloaded code', start: 30, end: 70 },
    ],
  },
  options: [answers[0] ?? {}, answers[3] ?? {}],
  withheld: [{ id: 'allow_session', label: 'Yes, this session', reason: 'runs downloaded code' }],
})

const snapshot = (fields: JsonObject): JsonObject => ({
  type: 'snapshot',
  state: 'idle',
  messages: [...messages],
  questions: [],
  cost_usd: 0.42,
  ...fields,
})

const asked = (question: JsonObject): readonly JsonObject[] => [
  snapshot({ state: 'toolcall', questions: [question] }),
]

/** Every view of the page. */
export const sampleViews: readonly SampleView[] = [
  { name: 'list', hash: '#/', open: (page) => page.locator('.rows li').first().waitFor() },
  { name: 'new', hash: '#/new', open: (page) => page.locator('.start').waitFor() },
  {
    name: 'session',
    hash: '#/session/s1',
    lines: [snapshot({})],
    open: (page) => page.locator('.reply .code-keyword').first().waitFor(),
  },
  {
    name: 'opened calls',
    hash: '#/session/s1',
    lines: [snapshot({ messages: messages.slice(0, -1) })],
    open: async (page) => {
      await page.locator('button.summary', { hasText: 'edit' }).click()
      await page.locator('button.summary', { hasText: 'npm test' }).click()
      await page.locator('.diff .added').first().waitFor()
    },
  },
  {
    name: 'running',
    hash: '#/session/s1',
    lines: [
      snapshot({
        state: 'toolcall',
        messages: messages.slice(0, 1),
        calls: [{ call_id: 'c9', name: 'bash', arguments: { command: 'npm test' } }],
        queue: [
          { id: 'q1', text: 'and look at the README', kind: 'steer' },
          { id: 'q2', text: 'then commit', kind: 'follow_up' },
        ],
      }),
      { type: 'tool_output', call_id: 'c9', stream: 'stdout', chunk: 'test 1 of 12\ntest 2 of 12\n' },
    ],
    open: (page) => page.locator('.queue').waitFor(),
  },
  {
    name: 'question',
    hash: '#/session/s1',
    lines: asked(
      permission({
        display: { title: 'Run this command?', content: { command: 'npm test -- ledger' } },
        options: answers,
      }),
    ),
    open: (page) => page.locator('.question button:not([aria-disabled="true"])').first().waitFor(),
  },
  {
    name: 'danger',
    hash: '#/session/s1',
    lines: asked(danger),
    open: (page) => page.locator('.question mark').first().waitFor(),
  },
  {
    name: 'edit question',
    hash: '#/session/s1',
    lines: asked(
      permission({
        display: { title: 'Edit src/ledger.ts?', content: diff, content_kind: 'diff' },
        options: [
          answers[0] ?? {},
          { id: 'allow_session', label: 'Yes, this session: edits' },
          answers[3] ?? {},
        ],
      }),
    ),
    open: (page) => page.locator('.question .row').first().waitFor(),
  },
  {
    name: 'models',
    hash: '#/session/s1',
    lines: [snapshot({})],
    open: async (page) => {
      await page.getByRole('button', { name: 'Model:' }).click()
      await page.locator('.models button').first().waitFor()
    },
  },
  {
    name: 'changes',
    hash: '#/session/s1',
    lines: [snapshot({})],
    open: async (page) => {
      await page.getByRole('button', { name: 'Changes' }).click()
      await page.locator('.sheet .row').first().waitFor()
    },
  },
  {
    name: 'files',
    hash: '#/session/s1',
    lines: [snapshot({ messages: messages.slice(0, 1) })],
    open: async (page) => {
      await page.locator('.composer input[type=file]').setInputFiles([
        { name: 'shelf.png', mimeType: 'image/png', buffer: picture },
        {
          name: 'a-rather-long-name-of-a-log-file-of-last-night.log',
          mimeType: '',
          buffer: picture.subarray(0, 0),
        },
        { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') },
      ])
      await page.locator('.files img').waitFor()
      await page.getByText('notes.md').waitFor()
    },
  },
  {
    name: 'task',
    hash: '#/task/t1',
    open: (page) => page.locator('.task .diff').waitFor(),
  },
]

const task: JsonObject = {
  task_id: 't1',
  seq: 1,
  project: 'ledger',
  title: 'Sum the totals',
  intent: 'Sum the totals instead of counting them.',
  status: 'done',
  updated_at: '2026-11-29T09:00:00Z',
  session_id: 's1',
  summary: 'The totals are sums now.',
}

/** The icon of the page. */
const picture = [...builtPage()].find(([name]) => name.startsWith('icon192'))?.[1] ?? Buffer.alloc(0)

const model = (name: string, fields: JsonObject = {}): JsonObject => ({
  name,
  context_window: 200_000,
  price: { input: 3, output: 15 },
  thinking: ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'],
  ...fields,
})

const noKey = 'no key: run pipe auth set openai where the server runs'

const row = (id: string, fields: JsonObject): JsonObject => ({
  id,
  project: 'ledger',
  model: 'anthropic/claude-opus-4-5',
  mode: 'default',
  updated_at: '2026-11-29T10:00:00Z',
  ...fields,
})

const script: Script = {
  projects: [
    { name: 'ledger', cwd: '/home/ada/ledger' },
    { name: 'site', cwd: '/home/ada/site' },
  ],
  sessions: [
    row('s1', { title: 'Fix the totals of the ledger', thinking: 'high', outcome: 'done' }),
    row('s2', {
      title: 'Release notes for the next version, with all that changed since',
      project: 'site',
      outcome: 'failed',
    }),
    row('s3', { title: 'Why is the build slow?', is_running: true }),
    row('s4', { title: 'Update the dependencies', questions: 1 }),
  ],
  tasks: [task, { ...task, task_id: 't2', title: 'Tidy the shelf', status: 'failed' }],
  answers: {
    '/v1/tasks/t1': {
      task,
      facts: [
        ['project', 'ledger'],
        ['model', 'anthropic/claude-opus-4-5'],
      ],
      log: ['10:00 created', '10:01 begun by a worker', '10:09 done'],
    },
    '/v1/tasks/t1/diff': diff,
    '/v1/sessions/s1/diff': diff,
    '/v1/projects/ledger/models': {
      models: [
        model('anthropic/claude-opus-4-5'),
        model('anthropic/claude-haiku-4-5', { price: { input: 1, output: 5 } }),
        model('ollama/qwen3-coder:30b', { price: { input: 0, output: 0 }, images: false }),
        model('openai/gpt-5.2', { missing: noKey }),
        model('openai/gpt-5.2-mini', { missing: noKey }),
        model('openai/o4-mini', { missing: noKey }),
        { name: 'lmstudio/…', missing: 'not running' },
      ],
    },
  },
}

/** Serves a view until the test ends. */
export async function serveView({ lines = [] }: SampleView): Promise<ScriptedServer> {
  const server = await startScripted(script)
  for (const line of lines) server.tell(session, line)
  return server
}
