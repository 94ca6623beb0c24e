import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Run, start } from '../../support/programs/program.ts'

const root = join(import.meta.dirname, '../../..')

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
  examples = readExamples(await readFile(join(root, 'docs/library.md'), 'utf8'))
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
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Unpacks the packed package into an empty folder, with none of its dependencies. */
async function install(): Promise<void> {
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const { stdout } = succeeded(await run('npm', pack, root))
  const unpack =
    'mkdir -p node_modules && tar xzf "$1" -C node_modules && mv node_modules/package node_modules/pipe-agent'
  succeeded(await run('sh', ['-c', unpack, 'sh', stdout.trim().split('\n').at(-1) ?? ''], folder))
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

it.each(['conversation.js', 'questions.js', 'watch.js', 'own-model.js', 'canonical.js', 'tool.js'])(
  'the example %s prints what the manual shows',
  async (file) => {
    const example = examples.find((one) => one.file === file)
    const env = { MODEL: `replay/${join(folder, `${file}.json`)}` }
    const { stdout, stderr } = succeeded(await run(process.execPath, [file], folder, env))
    expect([stdout, stderr]).toEqual([example?.output, ''])
  },
)

it('every example with output is run', () => {
  const shown = examples.filter(({ output }) => output !== undefined).map(({ file }) => file)
  expect(shown).toEqual([
    'conversation.js',
    'questions.js',
    'watch.js',
    'own-model.js',
    'canonical.js',
    'tool.js',
  ])
})

it('a provider and a store of others pass the suites of the package', async () => {
  const { stdout } = succeeded(
    await run(process.execPath, ['--test', '--test-reporter=tap', 'parts.test.js'], folder),
  )
  const [, passed] = /^# pass (\d+)$/m.exec(stdout) ?? []
  expect(Number(passed)).toBeGreaterThan(30)
  for (const file of ['provider.js', 'store.js']) {
    const { code = '' } = examples.find((one) => one.file === file) ?? {}
    expect(code.split('\n').length).toBeLessThanOrEqual(30)
  }
})

it('the types compile in a program that checks everything', async () => {
  // The compiler and the types of Node are the reader's own.
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  await symlink(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,esnext.disposable']
  const options = ['--noEmit', '--types', 'node', ...strict, ...target]
  succeeded(await run(join(root, 'node_modules/.bin/tsc'), [...options, 'types.ts'], folder))
})
