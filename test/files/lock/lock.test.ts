import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { isLocked, takeLock, waitForLock } from '../../../src/files/lock/lock.ts'
import { holderOf } from '../../../src/files/lock/lock-holder.ts'
import { isRunning, processStart } from '../../../src/files/lock/process-start.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await folder.remove()
})

const signal = new AbortController().signal
const clock = createHandClock()
const take = async (pid = process.pid, host = 'here') =>
  takeLock(folder.at('lock'), { pid, host, clock, signal })
const own = () => holderOf(process.pid, 'here', clock.now())

/** A process that lives until the test ends, or one that has ended. */
async function child(alive: boolean): Promise<number> {
  const started = spawn('sleep', [alive ? '600' : '0'])
  children.push(started)
  if (!alive) await new Promise((resolve) => started.once('exit', resolve))
  return started.pid ?? 0
}

it('names the holder in the file, which is removed on release', async () => {
  const lock = await take()
  expect(JSON.parse(await readFile(folder.at('lock'), 'utf8'))).toEqual(own())
  lock.release()
  expect(await readdir(folder.root)).toEqual([])
})

it('is refused while its holder lives, by name, even within one process', async () => {
  const pid = await child(true)
  const lock = await take(pid)
  await expect(take()).rejects.toMatchObject({
    code: 'conflict',
    details: { pid: String(pid), host: 'here' },
  })
  lock.release()
  await take()
  await expect(take()).rejects.toMatchObject({ code: 'conflict', details: { pid: String(process.pid) } })
})

it('checks whether it is held, as far as one machine can tell, without writing', async () => {
  const seen = () => isLocked(folder.at('lock'), { host: 'here', clock: systemClock })
  expect(seen()).toBe(false)
  const lock = await take(await child(true))
  expect(seen()).toBe(true)
  lock.release()
  await take(await child(false))
  expect(seen()).toBe(false)
  await writeFile(folder.at('lock'), JSON.stringify({ pid: 1, host: 'elsewhere' }))
  expect(seen()).toBe(true)
  await writeFile(folder.at('lock'), 'x')
  expect(seen()).toBe(false)
  expect(await readdir(folder.root)).toEqual(['lock'])
})

it('does not release the next holder if released twice', async () => {
  const first = await take()
  first.release()
  await take()
  first.release()
  await expect(take()).rejects.toMatchObject({ code: 'conflict' })
})

it('leaves the lock of a process that took it after the file was removed', async () => {
  const first = await take()
  await rm(folder.at('lock'))
  const pid = await child(true)
  await take(pid)
  first.release()
  await expect(take()).rejects.toMatchObject({ code: 'conflict', details: { pid: String(pid) } })
})

it('names the path and the reason if the system refuses', async () => {
  const path = join(await folder.put('file'), 'lock')
  const reason = { code: 'not_found', details: { path, reason: 'ENOTDIR' } }
  const refusal = expect.objectContaining(reason)
  expect(() => takeLock(path, { pid: process.pid, host: 'here', clock, signal })).toThrow(refusal)
  expect(() => isLocked(path, { host: 'here', clock })).toThrow(refusal)
})

it.each([
  ['of a dead process', async () => ({ pid: await child(false), host: 'here' })],
  ['whose pid belongs to another process by now', () => ({ ...own(), start: '1' })],
  ['that is damaged', async () => 'half a lo'],
])('takes over a lock %s', async (_, holder) => {
  const left = await holder()
  await writeFile(folder.at('lock'), typeof left === 'string' ? left : JSON.stringify(left))
  await take()
  expect(JSON.parse(await readFile(folder.at('lock'), 'utf8'))).toEqual(own())
  expect(await readdir(folder.root)).toEqual(['lock'])
})

it('removes the draft that a killed holder left beside its lock', async () => {
  const dead = { ...own(), pid: await child(false) }
  const { host, boot_id: boot = '', pid_namespace: space = '', pid } = dead
  const draft = ['lock', host, boot.slice(0, 8), space, pid].filter((part) => part !== '').join('.')
  for (const name of ['lock', draft]) await writeFile(folder.at(name), JSON.stringify(dead))
  await take()
  expect(await readdir(folder.root)).toEqual(['lock'])
})

/** Moves the last heartbeat of the lock file into the past. */
async function silence(ms: number): Promise<void> {
  const then = (Date.now() - ms) / 1_000
  await utimes(folder.at('lock'), then, then)
}

quickDescribe('the lock of another container or machine', () => {
  it.each([
    ['of another machine', { host: 'elsewhere', boot_id: 'other' }, 'elsewhere'],
    [
      'of another container with our host name',
      { pid_namespace: '1' },
      'another container or machine also called here',
    ],
  ])('%s is held while its holder sends heartbeats, whatever its pid', async (_, other, place) => {
    const left = { ...own(), ...other, pid: await child(false), since: clock.now() - 180_000 }
    await writeFile(folder.at('lock'), JSON.stringify(left))
    await silence(20_000)
    await expect(take()).rejects.toMatchObject({
      code: 'conflict',
      message: `${folder.at('lock')} is held by process ${left.pid} on ${place}, for 3 min (last sign of life 20 s ago; the lock of a dead process expires after 25 s)`,
      details: { pid: String(left.pid), host: left.host },
    })
    await silence(26_000)
    await take()
    expect(JSON.parse(await readFile(folder.at('lock'), 'utf8'))).toEqual(own())
    expect(await readdir(folder.root)).toEqual(['lock'])
  })

  it('sends a heartbeat every 10 s while it is held, and none afterwards', async () => {
    const lock = await take()
    const dated = async () => (await stat(folder.at('lock'))).mtimeMs
    await silence(60_000)
    clock.advance(9_999)
    expect(Date.now() - (await dated())).toBeGreaterThan(50_000)
    clock.advance(1)
    expect(Date.now() - (await dated())).toBeLessThan(50_000)
    lock.release()
    clock.advance(10_000)
    expect(await readdir(folder.root)).toEqual([])
  })

  it('that took ours over is noticed before the next write, and our heartbeat does not renew it', async () => {
    const lock = await take()
    lock.requireHeld()
    await writeFile(folder.at('lock'), JSON.stringify({ ...own(), pid: 7, host: 'elsewhere' }))
    await silence(60_000)
    clock.advance(10_000)
    expect(Date.now() - (await stat(folder.at('lock'))).mtimeMs).toBeGreaterThan(50_000)
    expect(() => lock.requireHeld()).toThrow(
      `the lock ${folder.at('lock')} was taken over by process 7 on elsewhere while this process was stalled`,
    )
    lock.release()
    expect(await readdir(folder.root)).toEqual(['lock'])
  })
})

it('is no longer held once its file is gone', async () => {
  const lock = await take()
  await rm(folder.at('lock'))
  expect(() => lock.requireHeld()).toThrow(`the lock ${folder.at('lock')} is gone`)
  lock.release()
  expect(() => lock.requireHeld()).toThrow('is gone')
})

it('treats an empty lock file as being taken, for 5 s', async () => {
  await folder.put('lock', '')
  await expect(take()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('taking it'),
  })
  await silence(6_000)
  await take()
})

quickDescribe('on a file system without hard links', () => {
  it('locks anyway', async ({ skip }) => {
    const taker = await buildTaker()
    const shim = await withoutLinks(skip)
    const env = { ...process.env, LD_PRELOAD: shim }
    const start = () => {
      const each = spawn(process.execPath, [taker, folder.at('lock')], { env })
      children.push(each)
      return each
    }
    const takers = Array.from({ length: 4 }, start)
    const lines = takers.map((each) => createInterface({ input: each.stdout })[Symbol.asyncIterator]())
    for (const line of lines) await line.next()
    for (const each of takers) each.stdin.write('go')
    const said = await Promise.all(lines.map(async (line) => String((await line.next()).value)))
    expect(said.filter((line) => line === 'got it')).toHaveLength(1)
    expect(said.filter((line) => /"code":"conflict"/.test(line))).toHaveLength(3)
  })
})

/** A library that makes `link` fail as on a file system without hard links. */
async function withoutLinks(skip: (why: string) => never): Promise<string> {
  const source = await folder.put(
    'shim.c',
    '#include <errno.h>\nint link(const char *a, const char *b) { errno = EPERM; return -1; }\n',
  )
  const path = folder.at('shim.so')
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', path, source])
  return status === 0 ? path : skip('there is no C compiler')
}

it('takes over a takeover that died halfway', async () => {
  const dead = JSON.stringify({ pid: await child(false), host: 'here' })
  await writeFile(folder.at('lock'), dead)
  await writeFile(folder.at('lock.takeover'), dead)
  await take()
  expect(await readdir(folder.root)).toEqual(['lock'])
})

async function buildTaker(): Promise<string> {
  const outfile = folder.at('lock-taker.mjs')
  const entry = join(import.meta.dirname, 'lock-taker.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
  return outfile
}

slowIt('lets exactly one of many processes take over a stale lock', async () => {
  const taker = await buildTaker()
  const stale = JSON.stringify({ pid: await child(false), host: hostname() })
  for (let round = 0; round < 3; round++) {
    await writeFile(folder.at('lock'), stale)
    const takers = Array.from({ length: 6 }, () => spawn(process.execPath, [taker, folder.at('lock')]))
    children.push(...takers)
    const lines = takers.map((each) => createInterface({ input: each.stdout })[Symbol.asyncIterator]())
    for (const line of lines) await line.next()
    for (const each of takers) each.stdin.write('go')
    const said = await Promise.all(lines.map(async (line) => (await line.next()).value))
    expect(said.filter((line) => line === 'got it')).toHaveLength(1)
    for (const each of takers) await new Promise((resolve) => each.once('exit', resolve).stdin.end())
  }
})

it('counts a zombie as ended', async () => {
  const parent = spawn('bash', ['-c', 'sleep 0.3 & echo $!; exec sleep 600'])
  children.push(parent)
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)))
  const start = processStart(pid)
  expect(isRunning(pid, start)).toBe(true)
  while (isRunning(pid, start)) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(process.kill(pid, 0)).toBe(true)
})

it('waits up to 3 s for its holder', async () => {
  const clock = createHandClock()
  const wait = () => waitForLock(folder.at('lock'), { pid: process.pid, host: 'here', clock, signal })
  const first = await take()
  const second = wait()
  const patience = second.then((lock) => lock.release())
  await expect.poll(() => clock.sleeping).toBe(1)
  first.release()
  clock.advance(20)
  await patience
  const held = await take()
  const third = expect(wait()).rejects.toMatchObject({ code: 'conflict' })
  await expect.poll(() => clock.sleeping).toBe(1)
  clock.advance(3_000)
  await third
  held.release()
})
