import { describe, expect, it } from 'vitest'
import { expectRun } from '../../support/programs/program.ts'
import { after, before, changed, undone, withGit } from './undo-setup.ts'

describe('an interrupted undo', () => {
  const moments = [4, 9, 12, 14, 16]

  it.each(moments)(
    'leaves each file old or new on SIGKILL at git call %i, and the next undo completes it',
    async (call) => {
      const { pipe, files, env } = await changed()
      const killed = await pipe(['undo'], {
        env: await withGit(env, `[ $calls = ${call} ] && kill -KILL $PPID`),
      })
      expect(killed.signal).toBe('SIGKILL')
      const mixed = Object.entries(files()).filter(
        ([path, text]) =>
          ![before, after].some((times) => Object.entries(times).some(([p, t]) => p === path && t === text)),
      )
      expect(mixed).toEqual([])
      expectRun(await pipe(['undo']), { stdout: expect.stringMatching(/^undid: turn it over\n/) })
      expect(files()).toEqual(before)
      expectRun(await pipe(['undo', '--redo']), {
        stdout: expect.stringMatching(/^redid: turn it over\n/),
      })
      expect(files()).toEqual(after)
    },
  )

  it.each(moments)('does all or nothing on SIGINT at git call %i', async (call) => {
    const { pipe, files, env } = await changed()
    const ended = await pipe(['undo'], { env: await withGit(env, `[ $calls = ${call} ] && kill -INT $PPID`) })
    expect([ended.code, ended.signal, ended.stderr]).toEqual([130, null, ''])
    expect([ended.stdout, files()]).toEqual(ended.stdout === '' ? ['', after] : [undone, before])
  })
})
