import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/json-value.ts'
import { createCodeTools } from '../../src/lsp/code-tools.ts'
import { locateLanguage } from '../../src/lsp/locate-language.ts'
import { languagesOf } from '../../src/lsp/usual-languages.ts'
import type { LanguageSetup } from '../../src/machine/language-setup.ts'
import { textContent } from '../../src/message.ts'
import { findProgram } from '../../src/process/search-path.ts'
import { patientClock } from '../support/clocks/patient-clock.ts'
import { drainRun, toolContext } from '../support/conversations/tool-run.ts'
import { watchedFolder } from '../support/lsp/language-pool.ts'

const run = promisify(execFile)
let servers = ''

/** Installs the servers of npm beside each other, as `npm install -g` does. */
beforeAll(async () => {
  servers = await mkdtemp(join(tmpdir(), 'pipe-servers-'))
  const packages = ['typescript-language-server@5', 'typescript@6', 'pyright@1']
  await run('npm', ['install', '--prefix', servers, '--no-audit', '--no-fund', '--silent', ...packages])
})

afterAll(() => rm(servers, { recursive: true, force: true }))

function located(language: LanguageSetup) {
  const path = `${join(servers, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  return locateLanguage(language, { path, except: [], root: '/', home: homedir() })
}

const open = (files: Readonly<Record<string, string>>) =>
  watchedFolder(languagesOf([]), { files, locate: located, newsClock: patientClock })

/** Waits for what came after the result, as the end of a turn does. */
async function allOf({ news }: Awaited<ReturnType<typeof open>>, text: string): Promise<string> {
  const late = await news.judge('', { signal: new AbortController().signal })
  return `${text}${late ?? ''}`
}

describe('typescript-language-server', () => {
  it('tells of an error that an edit brings, not of an old one that it moves, and that it is mended', async () => {
    const old = 'const old: number = "old"\n'
    const folder = await open({ 'a.ts': old, 'tsconfig.json': '{"compilerOptions":{"strict":true}}' })
    const first = await folder.write('a.ts', `\n${old}export const fresh: string = 1\n`)
    const told = await allOf(folder, first.text)
    expect(told).toContain("a.ts:3:14: Type 'number' is not assignable to type 'string'. (2322)")
    expect(told).not.toContain('a.ts:2')
    const mended = await folder.write('a.ts', `\n${old}export const fresh: string = "1"\n`)
    expect(mended.text).toContain('a.ts has fewer errors: 1.')
    const broken = await folder.write('a.ts', `\n${old}export const fresh: string = \n`)
    expect(broken.text).toContain('Expression expected')
  })

  it('sees what another file of the project exports', async () => {
    const folder = await open({
      'tsconfig.json': '{}',
      'b.ts': 'export const b = 1\n',
      'a.ts': 'export {}\n',
    })
    const { text } = await folder.write('a.ts', 'import { b, c } from "./b"\nexport const d = b + c\n')
    expect(await allOf(folder, text)).toContain(`Module '"./b"' has no exported member 'c'`)
  })

  it('lists symbols, and finds the uses of a name in other files', async () => {
    const folder = await open({
      'tsconfig.json': '{}',
      'b.ts': 'export function count(): number {\n  return 1\n}\n// count\n',
      'a.ts': 'import { count } from "./b"\nexport const sum = count() + count()\n',
    })
    const tools = createCodeTools({
      open: async () => folder.pool,
      cwd: folder.folder,
      show: (path) => path.replace(`${folder.folder}/`, ''),
      readText: (path) => readFile(path, 'utf8'),
      clean: (text) => text,
      mayRead: () => true,
    })
    const ask = async (name: string, args: JsonObject) =>
      textContent((await drainRun(tools.execute(name, args, toolContext()))).result)
    expect(await ask('symbols', { path: 'b.ts' })).toBe('b.ts:1: function count')
    expect(await ask('symbols', { path: 'b.ts', query: 'sum' })).toContain('a.ts:2: ')
    const uses = (await ask('references', { path: 'b.ts', line: 1, name: 'count' })).split('\n').sort()
    expect(uses.map((use) => use.split(': ')[0])).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:2', 'b.ts:1'])
  })

  it('never takes the TypeScript of the project', async () => {
    const folder = await open({
      'tsconfig.json': '{}',
      'node_modules/typescript/package.json': '{"name":"typescript","version":"6.0.3"}',
      'node_modules/typescript/lib/tsserver.js': 'require("fs").writeFileSync("/proc/self/cwd/ran", "")',
      'a.ts': 'export {}\n',
    })
    const { text } = await folder.write('a.ts', 'export const a: string = 1\n')
    expect(await allOf(folder, text)).toContain('(2322)')
    expect(await readdir(folder.folder)).not.toContain('ran')
  })

  it('keeps up in a project of 2,000 files', async () => {
    const many = Array.from({ length: 2_000 }, (_, i) => [
      `src/f${i}.ts`,
      `${i === 0 ? '' : `import { v${i - 1} } from './f${i - 1}.ts'\n`}export const v${i}: number = ${i === 0 ? 0 : `v${i - 1}`}\n`,
    ])
    const folder = await open({
      ...Object.fromEntries(many),
      'tsconfig.json': '{"compilerOptions":{"allowImportingTsExtensions":true,"noEmit":true}}',
    })
    const { text } = await folder.write(
      'src/f1999.ts',
      'import { v1998 } from "./f1998.ts"\nexport const v: string = v1998\n',
    )
    expect(await allOf(folder, text)).toContain("src/f1999.ts:2:14: Type 'number' is not assignable")
  })
})

describe('pyright', () => {
  it('tells of an error that an edit brings, and that it is mended', async () => {
    const folder = await open({ 'a.py': 'def f(x: int) -> int:\n    return x\n' })
    const first = await folder.write('a.py', 'def f(x: int) -> str:\n    return x\n')
    expect(await allOf(folder, first.text)).toMatch(
      /a\.py:2:12: Type "int" is not assignable to return type "str"/,
    )
    const mended = await folder.write('a.py', 'def f(x: int) -> str:\n    return str(x)\n')
    expect(mended.text).toContain('a.py has no errors any more.')
  })
})

const clangd = findProgram('clangd', process.env['PATH'] ?? '')

describe('clangd', () => {
  it.skipIf(clangd === undefined)(
    'tells of an error that an edit brings, and that it is mended',
    async () => {
      const folder = await open({ 'a.c': 'int main(void) { return 0; }\n' })
      const first = await folder.write('a.c', 'int main(void) { return missing; }\n')
      expect(await allOf(folder, first.text)).toContain("a.c:1:25: Use of undeclared identifier 'missing'")
      const mended = await folder.write('a.c', 'int main(void) { return 1; }\n')
      expect(mended.text).toContain('a.c has no errors any more.')
      expect(existsSync(join(folder.folder, '.cache'))).toBe(false)
    },
  )
})

const gopls = findProgram('gopls', process.env['PATH'] ?? '')

describe('gopls', () => {
  it.skipIf(gopls === undefined)('tells of an error that an edit brings, and that it is mended', async () => {
    const [old, program] = [
      'package main\n\nfunc old() int { return "old" }\n',
      'package main\n\nfunc main() {}\n',
    ]
    const folder = await open({
      'go.mod': 'module example.com/odd\n\ngo 1.19\n',
      'old.go': old,
      'main.go': program,
    })
    const first = await folder.write('main.go', 'package main\n\nfunc main() { missing() }\n')
    const told = await allOf(folder, first.text)
    expect(told).toMatch(/main\.go:3:15: .*missing/)
    expect(told).toContain('1 new error')
    const mended = await folder.write('main.go', program)
    expect(mended.text).toContain('main.go has no errors any more.')
  })
})
