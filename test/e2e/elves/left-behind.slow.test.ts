import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { hasBubblewrap } from '../../sandbox/sandboxed-project.ts'
import { use } from '../../support/models/replies.ts'
import { untilNoneRuns, untilRuns, untilWatched } from '../../support/programs/processes.ts'
import { isOneFile, openWorld } from '../../support/programs/world.ts'

/** Starts a run and waits until its command runs; the command ends only when the run is killed. */
async function running(flags: readonly string[], before = ':') {
  const world = await openWorld()
  const marker = `300.${process.pid}`
  world.server.reply(use(['bash', { command: `${before}; sleep ${marker}` }]))
  const run = world.start([...flags, 'go'])
  await untilRuns(marker)
  await untilWatched(run.pid)
  const names = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return {
    project: () => names(world.cwd),
    temp: () => names(world.temp),
    put: (name: string, content: string) => writeFileSync(join(world.cwd, name), content),
    kill: async () => {
      run.kill('SIGKILL')
      await run.ended
      await untilNoneRuns(marker)
    },
  }
}

interface Moment {
  readonly pid: number
  readonly temp: string
  readonly command: string
}

const untilHasWatchdog = ({ pid }: Moment) => untilWatched(pid)
const untilHasPipes = ({ temp }: Moment) =>
  vi.waitUntil(() => readdirSync(temp).some((name) => name.endsWith('-pipes')), {
    interval: 1,
    timeout: 15_000,
  })
const untilHasCommand = ({ command }: Moment) => untilRuns(command)

describe('a run killed with SIGKILL', () => {
  it.each<readonly [string, (moment: Moment) => Promise<unknown>]>([
    ['its watchdog runs', untilHasWatchdog],
    ['its first command runs', untilHasCommand],
    // Under Bun, commands have no named pipes.
    ...(isOneFile ? [] : [['its pipes are being made', untilHasPipes] as const]),
  ])('leaves nothing behind as soon as %s', async (_, until) => {
    const world = await openWorld()
    const marker = `301.${process.pid}`
    const command = `sleep ${marker} >/dev/null 2>&1 & sleep ${marker}`
    world.server.reply(use(['bash', { command }]))
    const run = world.start(['--yolo', 'go'])
    await until({ pid: run.pid, temp: world.temp, command })
    run.kill('SIGKILL')
    await run.ended
    await untilNoneRuns(command)
    await untilNoneRuns(marker)
    await expect.poll(() => readdirSync(world.temp)).toEqual([])
  })

  it('leaves no log of output that was too long for the model', async () => {
    const { temp, kill } = await running(['--yolo'], 'seq 1 200000')
    await expect.poll(temp).toContainEqual(expect.stringMatching(/\/bash-\w+\.log$/))
    await kill()
    await expect.poll(temp).toEqual([])
  })

  it.skipIf(!hasBubblewrap)('leaves no placeholders for missing protected files', async () => {
    const { project, temp, kill } = await running(['--permission-mode', 'auto'])
    expect(project()).toEqual(expect.arrayContaining(['.git', '.npmrc', '.pipe']))
    await kill()
    await expect.poll(project).toEqual([])
    await expect.poll(temp).toEqual([])
  })

  it.skipIf(!hasBubblewrap)('keeps files that the user meanwhile wrote over placeholders', async () => {
    const { project, put, kill } = await running(['--permission-mode', 'auto'])
    put('.npmrc', 'mine')
    put('.pipe/config.json', '{}')
    await kill()
    await expect.poll(project).toEqual(['.npmrc', '.pipe', '.pipe/config.json'])
  })
})
