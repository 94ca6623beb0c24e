import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { claimsConformance } from '../../../src/conformance/task-claims.ts'
import { createTaskClaims } from '../../../src/json/tasks/claims.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { conforms } from '../../support/conforms.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { taskId } from '../../support/tasks/task-events.ts'
import { thrown } from '../../support/thrown.ts'
import { untyped } from '../../support/untyped.ts'

const { signal } = new AbortController()
const here = { pid: process.pid, host: hostname() }

conforms(
  'claims on disk',
  claimsConformance(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-claims-'))
    const open = () =>
      createTaskClaims({ directory: join(folder, 'state', 'tasks'), clock: systemClock, ...here })
    return { claims: open(), reopen: open, close: () => rm(folder, { recursive: true }) }
  }),
)

async function openClaims() {
  const directory = await folderWith()
  const clock = createHandClock()
  return { directory, clock, claims: createTaskClaims({ directory, clock, ...here }) }
}

it('frees the claim of a process as soon as that is gone', async () => {
  const { directory, claims } = await openClaims()
  const holder = spawn('sleep', ['600'])
  onTestFinished(() => void holder.kill('SIGKILL'))
  const path = join(directory, `${taskId(1)}.lock`)
  await writeFile(path, JSON.stringify({ pid: holder.pid, host: hostname() }))
  expect(await claims.claim(taskId(1), { signal })).toBeUndefined()
  const ended = new Promise((resolve) => holder.once('exit', resolve))
  holder.kill('SIGKILL')
  await ended
  const claim = await claims.claim(taskId(1), { signal })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject(here)
  await claim?.release()
  expect(await readdir(directory)).toEqual([])
})

it('says that a claim is lost when another process has taken its lock', async () => {
  const { directory, clock, claims } = await openClaims()
  const claim = await claims.claim(taskId(1), { signal })
  clock.advance(5_000)
  expect(claim?.lost.aborted).toBe(false)
  const thief = JSON.stringify({ pid: 1, host: 'elsewhere' })
  await writeFile(join(directory, `${taskId(1)}.lock`), thief)
  clock.advance(1_000)
  expect(claim?.lost.reason).toMatchObject({ code: 'conflict', details: { host: 'elsewhere' } })
  await claim?.release()
  expect(await readFile(join(directory, `${taskId(1)}.lock`), 'utf8')).toBe(thief)
})

it('makes no path of what is no id', async () => {
  const { claims } = await openClaims()
  const claim = () => claims.claim(untyped('../escape'), { signal })
  expect(await thrown(claim)).toMatchObject({ code: 'invalid' })
})
