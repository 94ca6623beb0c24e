import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import { listTurns, redoTurn, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { placeFiles } from '../../../src/git/tree/placement.ts'
import type { TreeChange } from '../../../src/git/tree/tree-diff.ts'
import type { CommandRunner } from '../../../src/machine/running-command.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'
import { aged, listing, never, openProject, turn } from '../project.ts'

const signal = never()

const upheaval = `
  echo TWO > a; rm b; rm -r d; echo x > d; ln -sf b link
  mkdir new; echo new > new/file; chmod 644 secret; echo more >> secret; chmod 644 key; ${aged('key')}
`

/** A project after a turn. `stopAt` stops git at the n-th call from then on, or by its arguments. */
async function changed() {
  let calls = 0
  let isStopped: Stop = () => false
  const stoppable = (real: CommandRunner): CommandRunner => ({
    ...real,
    run: (line, options) => {
      calls += 1
      if (isStopped(calls, line.args)) throw new PipeError('aborted', 'interrupted')
      return real.run(line, options)
    },
  })
  const files = {
    a: 'one\n',
    b: 'b\n',
    'd/x': 'x\n',
    'd/y': 'y\n',
    secret: 's\n',
    key: 'k\n',
    left: 'alone\n',
  }
  const project = await openProject({ files, commands: stoppable })
  for (const name of ['secret', 'key']) chmodSync(join(project.root, name), 0o600)
  project.run('ln -s a link')
  const before = project.list()
  await turn(project.checkpoints(), 'go', () => project.run(upheaval))
  const stopAt = (stop: Stop) => {
    calls = 0
    isStopped = stop
  }
  return { ...project, before, after: project.list(), stopAt }
}

/** No folder is removed or created. */
const folders = { gone: [], made: [] }

type Stop = (call: number, args: readonly string[]) => boolean

/** The last call, which drops the entry once every file is restored. */
const atTheEnd: Stop = (_, args) => args.includes('update-ref') && args.includes('-d')
const nowhere: Stop = () => false

/** Whether every path is as it was at one of these times. */
function isMixed(now: object, ...times: readonly Readonly<Record<string, string>>[]): boolean {
  return Object.entries(now).every(([path, file]) => times.some((time) => time[path] === file))
}

describe('an interrupted undo', () => {
  it('leaves every file old or new at any git call, and the next undo completes it', async () => {
    for (let call = 1, isDone = false; !isDone; call++) {
      const { list, before, after, stopAt, shadow } = await changed()
      stopAt((at) => at === call)
      const stopped = await thrown(() => undoTurn(shadow, { signal })).catch(() => undefined)
      isDone = stopped === undefined
      stopAt(nowhere)
      if (isDone) expect(call).toBeGreaterThan(12)
      else {
        expect(stopped).toMatchObject({ code: 'aborted' })
        expect(isMixed(list(), before, after)).toBe(true)
        expect(await listTurns(shadow, { signal })).toMatchObject([{ side: 'undo', label: 'go' }])
        await undoTurn(shadow, { signal })
      }
      expect([call, list()]).toEqual([call, before])
      await redoTurn(shadow, { signal })
      expect([call, list()]).toEqual([call, after])
    }
  })

  it('between two files is completed by the next undo, and redone as a whole', async () => {
    const { list, run, before, after, stopAt, shadow } = await changed()
    stopAt(atTheEnd)
    await thrown(() => undoTurn(shadow, { signal }))
    expect(list()).toEqual(before)
    stopAt(nowhere)
    // As if the undo had stopped here.
    run('echo TWO > a; rm link; ln -s b link')
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
    await redoTurn(shadow, { signal })
    expect(list()).toEqual(after)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('between two files can also be redone', async () => {
    const { list, run, before, after, stopAt, shadow } = await changed()
    stopAt(atTheEnd)
    await thrown(() => undoTurn(shadow, { signal }))
    stopAt(nowhere)
    run('echo TWO > a; rm link; ln -s b link')
    await redoTurn(shadow, { signal })
    expect(list()).toEqual(after)
    await undoTurn(shadow, { signal })
    expect(list()).toEqual(before)
  })

  it('changes nothing if the user stops it before it begins', async () => {
    const { list, after, shadow } = await changed()
    expect(await thrown(() => undoTurn(shadow, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    })
    expect(list()).toEqual(after)
  })

  it('reports a path that cannot be written', async () => {
    const { root, list, after } = await changed()
    const changes: readonly TreeChange[] = [
      { path: 'left/x', old: undefined, new: { mode: '100644', id: '' } },
    ]
    const staging = await folderWith({ 'left/x': 'x' })
    const error = await thrown(() =>
      placeFiles({ root, cwd: root, staging, changes, modes: new Map(), keeps: new Map(), folders }),
    )
    expect(error).toMatchObject({
      message:
        'left has been replaced by something that is not a folder; fix that and try again: it continues where it stopped',
    })
    expect(list()).toEqual(after)
  })
})

/** A folder on a different file system from the temporary files. */
const elsewhere = ['/dev/shm', '/var/tmp', '/run'].find(
  (path) => existsSync(path) && statSync(path).dev !== statSync('/tmp').dev,
)

it.skipIf(elsewhere === undefined)('moves files unchanged from another file system', async () => {
  const root = mkdtempSync(join(elsewhere ?? '', 'pipe-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { root: other, run } = await openProject({ files: { 'sub/a': 'new\n', run: '#!' } })
  run('ln -s a link; chmod 755 run')
  const changes = ['link', 'run', 'sub/a'].map((path) => ({
    path,
    old: undefined,
    new: { mode: path === 'link' ? '120000' : '100644', id: '' },
  }))
  mkdirSync(join(root, dirname('sub/a')))
  const modes = new Map([['sub/a', 0o4600]])
  placeFiles({ root, cwd: root, staging: other, changes, modes, keeps: new Map(), folders })
  expect(listing(root)).toEqual({ link: '-> a', run: '755 "#!"', 'sub/a': '4600 "new\\n"' })
})
