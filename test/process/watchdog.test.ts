import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Watchdog } from '../../src/process/watchdog.ts'
import { folderWith } from '../support/folders/folder.ts'
import { isAlive, untilGone } from '../support/programs/processes.ts'

/** A process group that sleeps until it is ended. */
function sleeper(): number {
  const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  if (pid === undefined) throw new Error('cannot start sleep')
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(-pid, 'SIGKILL')
  })
  return pid
}

/** A process that runs these commands, prints the pids they print, and ends with its stdin. */
async function startKeeper(commands: readonly string[]) {
  const folder = await folderWith()
  const outfile = join(folder, 'keeper.mjs')
  const contents = `
    import { systemClock } from './src/cli/system-clock.ts'
    import { createCommandRunner } from './src/process/command-runner.ts'
    const runner = createCommandRunner({ clock: systemClock })
    const env = { PATH: process.env.PATH }
    for (const command of process.argv.slice(2)) {
      const running = await runner.start({ file: 'bash', args: ['-c', command], cwd: '/', env })
      const output = running.output(new AbortController().signal)
      const { value } = await output.next()
      process.stdout.write(value.chunk)
      if (command.endsWith('&')) output.next().then(() => running.release())
    }
    process.stdin.on('end', () => runner.close()).resume()`
  const stdin = { contents, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' } as const
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile })
  const child = spawn(process.execPath, [outfile, ...commands], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const pids: number[] = []
  while (pids.length < commands.length) pids.push(Number((await lines.next()).value))
  return { child, pids }
}

/** The shells started by this process. */
async function watchdogs(parent: number): Promise<readonly number[]> {
  const ps = spawn('ps', ['-A', '-o', 'pid=,ppid=,comm='], { stdio: ['ignore', 'pipe', 'inherit'] })
  const rows: string[] = []
  for await (const row of createInterface({ input: ps.stdout })) rows.push(row)
  return rows.flatMap((row) => {
    const [, pid, ppid] = /^\s*(\d+)\s+(\d+)\s+(?:\/bin\/)?sh$/.exec(row) ?? []
    return Number(ppid) === parent ? [Number(pid)] : []
  })
}

describe('the watchdog', () => {
  it('ends the groups that it still watches when its input ends', async () => {
    const [watched, forgotten] = [sleeper(), sleeper()]
    const watchdog = new Watchdog()
    await watchdog.watch(watched)
    await watchdog.watch(forgotten)
    watchdog.forget(forgotten)
    watchdog.close()
    await untilGone(watched)
    expect(isAlive(forgotten)).toBe(true)
  })

  it('knows both lists after each change of one, also when its shell was killed', async () => {
    const folder = await folderWith({ 'early/x': '', 'late/x': '' })
    const [early, late] = [sleeper(), sleeper()]
    const watchdog = new Watchdog()
    await watchdog.watch(early)
    watchdog.removeTrees([join(folder, 'early')])
    for (const shell of await watchdogs(process.pid)) process.kill(shell, 'SIGKILL')
    await expect.poll(() => watchdog.isAwake).toBe(false)
    watchdog.removeTrees([join(folder, 'late')])
    await watchdog.watch(late)
    watchdog.close()
    await untilGone(early, late)
    await expect.poll(() => readdirSync(folder)).toEqual([])
  })

  it('removes folders and empty paths, whatever their names', async () => {
    const files = {
      'tree 1/deep/x': 'x',
      'a*/full/x': 'x',
      "it's/.npmrc": '',
      'a*/.bashrc': 'mine',
      'later/x': '',
    }
    const folder = await folderWith(files)
    const at = (name: string) => join(folder, name)
    for (const name of ['a*/.pipe', 'ab']) mkdirSync(at(name))
    symlinkSync('ab', at('link'))
    const watchdog = new Watchdog()
    watchdog.removeTrees([at('tree 1')])
    watchdog.removeEmpty([at('later/x')])
    watchdog.removeEmpty(['a*/full', 'a*/.pipe', "it's/.npmrc", 'a*/.bashrc', 'link', 'none'].map(at))
    watchdog.removeTrees([at('no\nfolder')])
    watchdog.close()
    const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    await expect
      .poll(names)
      .toEqual(['a*', 'a*/.bashrc', 'a*/full', 'a*/full/x', 'ab', "it's", 'later', 'later/x', 'link'])
  })

  it('removes a folder again into which a program still writes', async () => {
    const folder = await folderWith({ 'tree/x': '' })
    const again = 'while [ -e tree ]; do sleep 0.01; done; mkdir -p tree/late && touch again'
    const late = spawn('sh', ['-c', again], { cwd: folder, stdio: 'ignore' })
    onTestFinished(() => void late.kill('SIGKILL'))
    const watchdog = new Watchdog()
    watchdog.removeTrees([join(folder, 'tree')])
    watchdog.close()
    await expect.poll(() => readdirSync(folder)).toEqual(['again'])
  })

  it('removes nothing that it was told to keep', async () => {
    const folder = await folderWith({ '.npmrc': '', tree: '' })
    const watchdog = new Watchdog()
    watchdog.removeEmpty([join(folder, '.npmrc')])
    watchdog.removeEmpty([])
    watchdog.removeTrees([join(folder, 'tree')])
    watchdog.close()
    await expect.poll(() => readdirSync(folder)).toEqual(['.npmrc'])
  })
})

describe('a process killed with -9', () => {
  it('leaves no running program or background child, even if it ignores TERM', async () => {
    const commands = [
      'echo $$; exec sleep 1000',
      "trap '' TERM; echo $$; sleep 1000; sleep 1000",
      'sleep 1000 & echo $!; sleep 0.5 &',
    ]
    const { child, pids } = await startKeeper(commands)
    await expect.poll(() => watchdogs(child.pid ?? 0)).toHaveLength(1)
    child.kill('SIGKILL')
    await untilGone(...pids)
  })

  it('leaves no descendant with a session of its own whose parent runs', async () => {
    const { child, pids } = await startKeeper([
      "setsid -w setsid -w bash -c 'echo $$; exec sleep 1000'; true",
    ])
    await expect.poll(() => watchdogs(child.pid ?? 0)).toHaveLength(1)
    child.kill('SIGKILL')
    await untilGone(...pids)
  })
})

describe('a process that closes its runner', () => {
  it('ends by itself, and so does the watchdog', async () => {
    const { child, pids } = await startKeeper(['echo $$; exec sleep 1000'])
    const shells = () => watchdogs(child.pid ?? 0)
    await expect.poll(shells).toHaveLength(1)
    const watching = await shells()
    child.stdin.end()
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    await untilGone(...pids, ...watching)
  })
})
