import { readdir, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkBorders, checkFolders } from './support/borders.ts'
import { checkNames } from './support/vendors/vendor-names.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Reads files of `src` with matching names, as text by path. */
async function readTree(like: RegExp): Promise<Record<string, string>> {
  const names = await readdir(`${root}src`, { recursive: true })
  const paths = names.filter((name) => like.test(name)).map((name) => `src/${name}`)
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(root + path, 'utf8')] as const)),
  )
}

/** Lists the rules that a file breaks. */
function broken(file: string, ...lines: readonly string[]): readonly string[] {
  return checkBorders({ [file]: lines.join('\n') }).map(({ rule }) => rule)
}

it('the source tree follows all rules', async () => {
  const tree = await readTree(/(?<!\.d)\.tsx?$/)
  expect(Object.keys(tree)).toContain('src/message.ts')
  expect(checkBorders(tree)).toEqual([])
})

describe('a folder', () => {
  it('of the sources and tests holds few enough files', async () => {
    const entries = await Promise.all(
      ['src', 'test'].map((name) => readdir(root + name, { recursive: true, withFileTypes: true })),
    )
    const files = entries.flat().filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => `${relative(root, parentPath)}/${name}`)
    expect(paths).toContain('src/message.ts')
    expect(checkFolders(paths)).toEqual([])
  })

  it('holds at most 25 files of any kind, besides its folders', () => {
    const files = (count: number, folder: string) =>
      Array.from({ length: count }, (_, i) => `${folder}/${i}.md`)
    const inside = files(25, 'src/agent/turn')
    expect(checkFolders([...files(25, 'src/agent'), ...inside])).toEqual([])
    expect(checkFolders([...files(26, 'src/agent'), ...inside])).toEqual([
      'src/agent holds 26 files, at most 25: give some a folder',
    ])
  })

  it('may hold any number of recordings', () => {
    const screens = Array.from({ length: 60 }, (_, i) => `test/golden/screens/${i}.txt`)
    expect(checkFolders(screens)).toEqual([])
  })
})

describe('a border', () => {
  it.each([
    ['src/message.ts', './agent/turn.ts'],
    ['src/message.ts', './files/lock.ts'],
    ['src/agent/loop-engine.ts', '../index.ts'],
    ['src/agent/loop-engine.ts', '../openai/chat/provider.ts'],
    ['src/agent/loop-engine.ts', '../http/transport.ts'],
    ['src/agent/loop-engine.ts', '../cli/host.ts'],
    ['src/openai/chat/provider.ts', '../../ollama/provider.ts'],
    ['src/openai/chat/provider.ts', '../../agent/turn.ts'],
    ['src/http/transport.ts', '../process/group.ts'],
    ['src/ink/stage.ts', '../cli/host.ts'],
    ['src/ink/stage.ts', '../json/store.ts'],
    ['src/line/chat.ts', '../cli/flags.ts'],
    ['src/line/chat.ts', '../ink/line.ts'],
    ['src/line/run-result.ts', '../json/log.ts'],
    ['src/builtin/read/read.ts', '../../terminal/printable.ts'],
    ['src/export/html/page.ts', '../../terminal/printable.ts'],
    ['src/export/document-parts.ts', '../agent/history-mark.ts'],
    ['src/permission/policy.ts', './line/reader.ts'],
    ['src/permission/bash/scanner.ts', '../programs/find.ts'],
    ['src/permission/programs/find.ts', '../line/walks.ts'],
    ['src/permission/rules/rule.ts', '../policy.ts'],
  ])('keeps %s from importing %s', (file, specifier) => {
    const folder = file.split('/').length === 2 ? 'root' : file.split('/')[1]
    expect(broken(file, `import { x } from '${specifier}'`)).toEqual([
      `${folder} may not import ${specifier}`,
    ])
  })

  it.each([
    ['src/message.ts', './error.ts'],
    ['src/index.ts', './cli/library/open-conversation.ts'],
    ['src/agent/loop-engine.ts', '../message.ts'],
    ['src/agent/loop-engine.ts', './round.ts'],
    ['src/permission/line/walks.ts', '../programs/find.ts'],
    ['src/permission/rules/path-rule.ts', '../paths/case-folding.ts'],
    ['src/permission/line/reader.ts', '../command-line.ts'],
    ['src/agent/loop-engine.ts', './system.md'],
    ['src/agent/loop-engine.ts', '../characters/tag-characters.ts'],
    ['src/http/transport.ts', '../redaction/redaction.ts'],
    ['src/stream.ts', './reply/accumulator.ts'],
    ['src/reply/accumulator.ts', '../message.ts'],
    ['src/config/prompts.ts', '../frontend/own-prompt.ts'],
    ['src/openai/chat/provider.ts', '../../http/transport.ts'],
    ['src/builtin/read/read.ts', '../../files/walk.ts'],
    ['src/ink/stage.ts', '../agent/conversation.ts'],
    ['src/ink/stage.ts', '../terminal/printable.ts'],
    ['src/line/chat.ts', '../agent/drive-turn.ts'],
    ['src/line/chat.ts', '../frontend/slash/slash-command.ts'],
    ['src/export/html/html-diff.ts', '../../frontend/diff/diff-rows.ts'],
    ['src/cli/main.ts', '../openai/chat/provider.ts'],
    ['src/http/server-events.ts', 'eventsource-parser'],
    ['src/files/walk/walk.ts', 'fast-glob'],
    ['src/process/program-runner.ts', 'execa'],
    ['src/process/command-runner.ts', 'node:child_process'],
    ['src/json/store.ts', 'node:fs/promises'],
    ['src/openai/chat/request.ts', 'node:crypto'],
    ['src/anthropic/provider.ts', '@anthropic-ai/sdk/core/streaming'],
    ['src/settings.ts', 'zod'],
    ['src/cli/library/foreign/shapes.ts', 'zod'],
  ])('lets %s import %s', (file, specifier) => {
    expect(broken(file, `import { x } from '${specifier}'`)).toEqual([])
  })

  it.each([
    ['src/openai/chat/provider.ts', 'eventsource-parser'],
    ['src/builtin/command/bash.ts', 'execa'],
    ['src/builtin/search/glob.ts', 'fast-glob'],
    ['src/cli/main.ts', 'zod'],
    ['src/files/walk/walk.ts', 'globby'],
    ['src/ink/stage.ts', '@anthropic-ai/sdk'],
    ['src/agent/loop-engine.ts', 'node:fs/promises'],
    ['src/message.ts', 'node:fs'],
    ['src/builtin/command/bash.ts', 'node:child_process'],
    ['src/openai/chat/provider.ts', 'node:https'],
    ['src/agent/backoff.ts', 'node:timers/promises'],
    ['src/cli/main.ts', 'node:events'],
  ])('keeps %s from the package %s', (file, specifier) => {
    const folder = file.split('/').length === 2 ? 'root' : file.split('/')[1]
    expect(broken(file, `import { x } from '${specifier}'`)).toEqual([
      `${folder} may not import ${specifier}`,
    ])
  })

  it('applies to every form of import', () => {
    const tree = {
      'src/agent/loop-engine.ts': [
        "import 'execa'",
        "import type { A } from 'execa'",
        "export * from 'execa'",
        "export { a } from 'execa'",
        "export type { B } from 'execa'",
        "export type C = import('execa').C",
        'export async function load() {',
        "  await import('execa')",
        "  process.getBuiltinModule('node:http')",
        '}',
        '// import "execa"',
        'export const text = `import "execa"`',
      ].join('\n'),
    }
    expect(checkBorders(tree)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 8].map((line) => ({
        file: 'src/agent/loop-engine.ts',
        line,
        rule: 'agent may not import execa',
      })),
      { file: 'src/agent/loop-engine.ts', line: 9, rule: 'agent may not import node:http' },
    ])
  })
})

describe('below the composition root', () => {
  it.each([
    ['process.env', "process.env['HOME']"],
    ['process.env', "process['env']"],
    ['process.env', 'globalThis.process.env'],
    ['process.cwd', 'process.cwd()'],
    ['process.exit', 'process.exit(1)'],
    ['Date.now', 'Date.now()'],
    ['Date.now', 'now(Date.now)'],
    ['new Date()', 'new Date()'],
    ['Date', 'Date()'],
    ['setTimeout', 'setTimeout(f, 1)'],
    ['setTimeout', 'globalThis.setTimeout(f, 1)'],
    ['setInterval', 'setInterval(f, 1)'],
    ['Math.random', 'Math.random()'],
    ['performance.now', 'performance.now()'],
    ['AbortSignal.timeout', 'AbortSignal.timeout(5)'],
    ['console.log', 'console.log(1)'],
  ])('%s is passed in: %s', (name, expression) => {
    const source = `export const use = (f: never, now: never) => ${expression}`
    const rules = broken('src/agent/loop-engine.ts', source)
    expect(new Set(rules)).toEqual(new Set([`${name} is passed in below cli`]))
    expect(broken('src/cli/main.ts', source)).toEqual([])
  })

  it('destructuring is no way around', () => {
    expect(broken('src/agent/loop-engine.ts', 'const { env, pid } = process')).toEqual([
      'process.env is passed in below cli',
    ])
  })

  it('similar-looking code is accepted', () => {
    const lines = [
      '// process.env',
      "export const text = 'Date.now()'",
      'export const at = (ms: number) => new Date(ms).toISOString() + Date.parse(text)',
      'export const alive = (pid: number) => process.kill(pid, 0)',
      'export const wait = (clock: { setTimeout(): void; now(): number }) => clock.setTimeout()',
    ]
    expect(broken('src/process/group.ts', ...lines)).toEqual([])
  })
})

describe('a module', () => {
  it.each([
    ['a statement', 'start()'],
    ['a statement', 'if (ready) start()'],
    ['an await', 'const text = await load()'],
    ['a variable', 'let count = 0'],
    ['a variable', 'export let count = 0'],
  ])('has no effect at import: %s, %s', (name, source) => {
    expect(broken('src/cli/main.ts', source)).toEqual([`${name} at import`])
  })

  it('may declare anything', () => {
    const lines = [
      'declare const brand: unique symbol',
      'export interface A { readonly a: 1 }',
      'export type B = A',
      'export default class C {}',
      'export async function d() { let e = await f; return e }',
      'const g = async () => { await f }',
      'export { g }',
    ]
    expect(broken('src/permission/policy.ts', ...lines)).toEqual([])
  })

  it.each(['utils', 'helpers', 'common', 'core', 'manager', 'types'])('is not named %s', (name) => {
    const rule = `is named ${name}`
    const named = [`src/${name}.ts`, `src/${name}/a.ts`, `src/agent/session-${name}.ts`]
    expect(named.map((file) => broken(file))).toEqual([[rule], [rule], [rule]])
  })

  it('has at most 300 lines, comments and blank lines included', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, i) => ['const one = 1', '// why', ''][i % 3] ?? '')
    expect(broken('src/agent/loop-engine.ts', ...lines(299), 'const two = 2')).toEqual([])
    expect(broken('src/agent/loop-engine.ts', ...lines(300), 'const two = 2')).toEqual(['has 301 lines'])
  })
})

describe('an import cycle', () => {
  it('between files is found at any length, and each of its imports is named', () => {
    const tree = {
      'src/agent/a.ts': "import { b } from './b.ts'\nimport { x } from './x.ts'",
      'src/agent/b.ts': "export const load = () => import('./c.ts')",
      'src/agent/c.ts': "export { type A, a } from './a.ts'",
      'src/agent/x.ts': 'export const x = 1',
    }
    expect(checkBorders(tree)).toEqual([
      { file: 'src/agent/a.ts', line: 1, rule: 'is in an import cycle with src/agent/b.ts' },
      { file: 'src/agent/b.ts', line: 1, rule: 'is in an import cycle with src/agent/c.ts' },
      { file: 'src/agent/c.ts', line: 1, rule: 'is in an import cycle with src/agent/a.ts' },
    ])
  })

  it('of types is allowed, because types load nothing, except in cli and line', () => {
    const circle = (keyword: string, folder = 'src') => ({
      [`${folder}/a.ts`]: `import ${keyword} { A } from './b.ts'`,
      [`${folder}/b.ts`]: "import { b } from './a.ts'",
    })
    expect(checkBorders(circle('type'))).toEqual([])
    expect(checkBorders(circle(''))).toHaveLength(2)
    expect(checkBorders(circle('type', 'src/cli'))).toHaveLength(2)
    expect(checkBorders(circle('type', 'src/line'))).toHaveLength(2)
  })
})

describe('the name of a vendor', () => {
  it('occurs in its own folder, in the data on servers and models, and in few other places', async () => {
    expect(checkNames(await readTree(/\.(tsx?|md|json)$/))).toEqual([])
  })

  it.each([
    ['src/agent/loop-engine.ts', "if (provider.name === 'mistral') wait()", 'mistral'],
    ['src/agent/system.md', 'You are Claude.', 'claude'],
    ['src/message.ts', '// GPT-5 wants this', 'gpt'],
    ['src/line/text.ts', "await import('../google/provider.ts')", 'google'],
    ['src/builtin/parameters.json', '{"description": "as LM Studio has it"}', 'lmstudio'],
  ])('must not occur in %s: %s', (file, source, name) => {
    expect(checkNames({ [file]: source }, [])).toEqual([`${file} names ${name}`])
  })

  it('may occur in its folder, and in exceptions that are still used', () => {
    const exceptions = [{ file: 'src/machine/model-server.ts', names: ['openai', 'gemini'] }]
    const sources = {
      'src/google/wire.ts': "const gemini = 'openai'",
      'src/catalog/models.json': '{"claude": {}}',
      'src/config/models/servers.ts': "'mistral'",
      'src/machine/model-server.ts': "['openai-chat', 'openai-responses']",
    }
    expect(checkNames(sources, exceptions)).toEqual(['src/machine/model-server.ts names gemini: no more'])
  })
})
