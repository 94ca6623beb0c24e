import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../support/databases/postgres.ts'
import { openEmbeddingServer } from '../../support/models/embedding-server.ts'
import { type Run, start } from '../../support/programs/program.ts'

const root = join(import.meta.dirname, '../../..')
const pages = ['library.md', 'library-tasks.md', 'library-parts.md']

/** An example of the manual: a file, and the output that the page shows below it. */
interface Example {
  readonly file: string
  readonly code: string
  readonly output: string | undefined
}

/** Scripts of the models that the examples ask, by the example's file. */
const scripts: Readonly<Record<string, readonly (readonly object[])[]>> = {
  'conversation.js': [
    [call('edit', { path: 'sum.js', edits: [{ old_text: 'a - b', new_text: 'a + b' }] })],
    [call('bash', { command: 'node --test' })],
    [{ type: 'text', text: 'Fixed: the sum was a difference.' }],
  ],
  'questions.js': [[call('bash', { command: 'rm -rf build' })], [{ type: 'text', text: 'I will.' }]],
  'schema.js': [[{ type: 'text', text: '{"name":"Ann","age":7}' }]],
  'watch.js': [[{ type: 'text', text: 'Hello.' }]],
  'tool.js': [[call('clock', { city: 'Lima' })], [{ type: 'text', text: 'Noon.' }]],
}

function call(name: string, args: object): object {
  return { type: 'tool_call', name, arguments: args }
}

let folder: string
let examples: readonly Example[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipe-library-'))
  const texts = await Promise.all(pages.map((page) => readFile(join(root, 'docs', page), 'utf8')))
  examples = texts.flatMap(readExamples)
  await install()
  const files = {
    'package.json': '{"type": "module"}',
    'sum.js': 'export const sum = (a, b) => a - b\n',
    'sum.test.js': [
      "import assert from 'node:assert'",
      "import { test } from 'node:test'",
      "import { sum } from './sum.js'",
      "test('adds', () => assert.equal(sum(2, 3), 5))",
    ].join('\n'),
    ...Object.fromEntries(examples.map(({ file, code }) => [file, code])),
    ...Object.fromEntries(
      Object.entries(scripts).map(([file, rounds]) => [
        `${file}.json`,
        JSON.stringify({ version: 1, rounds: rounds.map((blocks) => ({ blocks })) }),
      ]),
    ),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await compile('orchestrator.ts')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Unpacks the packed package into an empty folder. It needs no other. */
async function install(): Promise<void> {
  const { stdout } = succeeded(await run('node', ['scripts/pack.js', folder], root))
  const unpack =
    'mkdir -p node_modules && tar xzf "$1" -C node_modules && mv node_modules/package node_modules/pipe-agent'
  succeeded(await run('sh', ['-c', unpack, 'sh', stdout.trim()], folder))
}

function readExamples(page: string): readonly Example[] {
  const blocks = /^```(?:js|ts) (\S+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms
  return [...page.matchAll(blocks)].map(([, file = '', code = '', output]) => ({ file, code, output }))
}

function run(file: string, args: readonly string[], cwd: string, env = {}): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env
  return start(file, args, { cwd, env: { PATH, HOME, PIPE_HOME: join(folder, 'home'), ...env } }).ended
}

function succeeded(done: Run): Run {
  expect(done.code, `${done.command}\n${done.stdout}${done.stderr}`).toBe(0)
  return done
}

/** The examples with output, in the order of the manual. */
const shown = [
  ...['conversation.js', 'schema.js', 'questions.js', 'watch.js', 'own-model.js', 'canonical.js', 'tool.js'],
  ...['orchestrator.ts', 'board.js', 'worker.js', 'elf.js'],
  ...['audit.js', 'files.js', 'vectors.js', 'embedder.js', 'ids.js', 'mocks.js', 'messages.js'],
]

async function printed(file: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { MODEL: `replay/${join(folder, `${file}.json`)}`, ...more }
  const { stdout, stderr } = succeeded(
    await run(process.execPath, [file.replace(/\.ts$/, '.js')], folder, env),
  )
  expect(stderr).toBe('')
  return stdout
}

const outputOf = (file: string) => examples.find((one) => one.file === file)?.output

it.each(shown)('the example %s prints what the manual shows', async (file) => {
  const { url } = await openEmbeddingServer()
  expect(await printed(file, { EMBEDDINGS: url })).toBe(outputOf(file))
})

it('every example with output is run', () => {
  expect(examples.filter(({ output }) => output !== undefined).map(({ file }) => file)).toEqual(shown)
})

describeWithDatabase('the orchestrator on a database', (database) => {
  it('prints the same', async () => {
    const done = await printed('orchestrator.ts', { DATABASE: database.url })
    // The audit log goes on where the example on files ended.
    expect(done.split('\n').slice(0, 2)).toEqual(outputOf('orchestrator.ts')?.split('\n').slice(0, 2))
  })
})

it('the orchestrator and the parts of others are short', () => {
  const linesOf = (file: string) =>
    examples
      .find((one) => one.file === file)
      ?.code.trimEnd()
      .split('\n').length ?? 0
  expect(linesOf('orchestrator.ts')).toBeLessThanOrEqual(32)
  for (const [file, most] of [
    ['provider.js', 30],
    ['store.js', 30],
    ['event-store.js', 65],
    ['map-files.js', 60],
  ] as const)
    expect([file, linesOf(file) <= most]).toEqual([file, true])
})

it('each export of each entry point has an example, and loads little', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const code = examples.map((one) => one.code).join('\n')
  for (const path of Object.keys(exports).filter((one) => one !== './package.json')) {
    const name = `pipe-agent${path.slice(1)}`
    const script = `const found = await import('${name}'); console.log(Object.keys(found).join(' '))`
    const { stdout } = succeeded(await run(process.execPath, ['--input-type=module', '-e', script], folder))
    const missing = stdout
      .trim()
      .split(' ')
      .filter((one) => !new RegExp(`\\b${one}\\b`).test(code))
    expect([name, missing]).toEqual([name, []])
  }
})

it('the parts of others pass the suites of the package', async () => {
  const { stdout } = succeeded(
    await run(process.execPath, ['--test', '--test-reporter=tap', 'parts.test.js'], folder),
  )
  const [, passed] = /^# pass (\d+)$/m.exec(stdout) ?? []
  expect(Number(passed)).toBeGreaterThan(90)
})

it('the types compile in a program that checks everything', () => compile('types.ts'))

/** Compiles an example. The compiler and the types of Node are the reader's own. */
async function compile(file: string): Promise<void> {
  for (const name of ['@types', 'undici-types']) {
    const link = join(folder, 'node_modules', name)
    if (!existsSync(link)) await symlink(join(root, 'node_modules', name), link)
  }
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,esnext.disposable']
  const options = ['--types', 'node', '--allowJs', '--outDir', 'built', ...strict, ...target]
  succeeded(await run(join(root, 'node_modules/.bin/tsc'), [...options, file], folder))
  const built = join(folder, 'built', file.replace(/ts$/, 'js'))
  await copyFile(built, join(folder, file.replace(/ts$/, 'js')))
}
