import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { build } from 'esbuild'
import { describe, expect } from 'vitest'
import { isPipeError } from '../../src/error.ts'
import { textContent } from '../../src/message.ts'
import { folderWith } from '../support/folders/folder.ts'
import { text, timestamp, user } from '../support/messages/messages.ts'
import { bundledProgram, ended, type RunningProgram } from '../support/programs/bundled-program.ts'
import { quickIt as it, quickDescribe, slowIt } from '../support/thorough.ts'
import { thrown } from '../support/thrown.ts'
import { append, load, openStore, save, signal } from './folder.ts'
import { sessionId } from './session-id.ts'

const startWriter = bundledProgram(join(import.meta.dirname, 'writer.ts'))

/** Reads `enough` numbers, kills the process, and reads the rest of its output. */
async function killAfter(enough: number, { child, lines }: RunningProgram): Promise<number> {
  let last = -1
  let count = 0
  for await (const line of lines) {
    last = Number(line)
    if (++count === enough) child.kill('SIGKILL')
  }
  await ended(child)
  return last
}

const number = (words: string) => Number(words.split(' ')[0])

describe('a writer that is killed', () => {
  slowIt('loses nothing that was reported as on disk', async () => {
    const folder = await folderWith()
    let next = 0
    for (const [round, enough] of [61, 1, 97, 13, 5, 83, 40].entries()) {
      const how = round === 0 ? 'create' : 'open'
      const acknowledged = await killAfter(enough, startWriter(`${how} ${folder} ${next} ${round * 3000}`))
      const { messages } = (await load(folder)).session
      const numbers = messages.map((message) => number(textContent(message)))
      expect(numbers).toStrictEqual(numbers.map((_, i) => i))
      expect(numbers.length).toBeGreaterThan(acknowledged)
      expect(acknowledged).toBeGreaterThanOrEqual(next + enough - 1)
      next = numbers.length
    }
    expect(next).toBeGreaterThanOrEqual(300)
  })

  it('leaves a lock that the next writer takes over', async () => {
    const folder = await folderWith()
    await killAfter(1, startWriter(`create ${folder} 0 0`))
    expect(await readdir(folder)).toContain('session-id.lock')
    await append(folder, user(text('mine now')))
    expect(await readdir(folder)).toStrictEqual(['session-id.json'])
  })
})

quickDescribe('a writer that is alive', () => {
  it('keeps other processes from writing, but not from reading', async () => {
    const folder = await folderWith()
    const { child, lines } = startWriter(`create ${folder} 0 0`)
    for await (const _ of lines) break
    const error = await thrown(() => openStore(folder).open(sessionId(), { signal }))
    expect(isPipeError(error) && [error.code, error.details['pid'], error.message]).toStrictEqual([
      'conflict',
      String(child.pid),
      `session session-id is being written by process ${child.pid} on ${hostname()}, for 0 s; end that process, wait for it with --wait-lock 30s, or continue in a copy with --fork (lock file: ${folder}/session-id.lock)`,
    ])
    expect((await load(folder)).session.messages.length).toBeGreaterThan(0)
  })
})

quickDescribe('a session that cannot be written', () => {
  it('because of a size limit is reported, and its file stays valid JSON', async () => {
    const folder = await folderWith()
    const path = join(folder, 'session-id.json')
    const printed = []
    for await (const line of startWriter(`create ${folder} 0 10000`, 'ulimit -f 64;').lines)
      printed.push(line)
    expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({
      code: 'invalid',
      details: { path, reason: 'EFBIG' },
    })
    const { session, damage } = await load(folder)
    expect(damage).toStrictEqual([])
    expect(session.messages.map((message) => `${number(textContent(message))}`)).toStrictEqual(
      printed.slice(0, -1),
    )
    JSON.parse(await readFile(path, 'utf8'))
  })

  it('because its folder cannot be made is reported with the path', async () => {
    const file = join(await folderWith(), 'file')
    await writeFile(file, '')
    const directory = join(file, 'sessions')
    const session = { id: sessionId(), systemPrompt: '', createdAt: timestamp }
    expect(await thrown(() => openStore(directory).create(session, { signal }))).toMatchObject({
      name: 'PipeError',
      details: { path: directory },
    })
  })

  it('because another program changed its file is not overwritten', async () => {
    const folder = await folderWith()
    const path = await save(folder, [user(text('one'))])
    const { log } = await openStore(folder).open(sessionId(), { signal })
    const edited = (await readFile(path, 'utf8')).replace('one', 'someone')
    await writeFile(path, edited)
    expect(await thrown(() => log.append(user(text('two'))))).toMatchObject({
      code: 'conflict',
      details: { path },
    })
    await log.close()
    expect(await readFile(path, 'utf8')).toBe(edited)
  })
})

it('SESS-335: hides a session from other users under any umask', async () => {
  const folder = join(await folderWith(), 'state', 'sessions')
  await killAfter(2, startWriter(`create ${folder} 0 0`, 'umask 000;'))
  const modes = [folder, join(folder, '..'), join(folder, 'session-id.json'), join(folder, 'session-id.lock')]
  expect(await Promise.all(modes.map(async (path) => (await stat(path)).mode & 0o777))).toStrictEqual([
    0o700, 0o700, 0o600, 0o600,
  ])
})

it.each([
  ['only writes', 'writer.ts'],
  ['continues a session without damage', '../../src/json/sessions/existing.ts'],
])('does not load the schemas for a run that %s', async (_, path) => {
  const entry = join(import.meta.dirname, path)
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: tmpdir(),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
  })
  const reached = new Set<string>()
  const visit = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    const imports = metafile.outputs[path]?.imports ?? []
    for (const { path: next, kind } of imports) if (kind === 'import-statement') visit(next)
  }
  visit(Object.keys(metafile.outputs).find((output) => output.endsWith(`/${parse(entry).name}.js`)) ?? '')
  const inputs = [...reached].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
  expect(inputs.some((path) => path.includes('src/json/'))).toBe(true)
  expect(inputs.filter((path) => path.includes('node_modules'))).toStrictEqual([])
})
