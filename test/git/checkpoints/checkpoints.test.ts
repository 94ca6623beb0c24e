import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { listTurns, undoTurn } from '../../../src/git/checkpoints/undo.ts'
import { turnLimits } from '../../../src/git/save-limits.ts'
import type { CommandLine, CommandRunner } from '../../../src/machine/running-command.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { text, user } from '../../support/messages/messages.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { thrown } from '../../support/thrown.ts'
import { never, openProject, patientLimits, turn } from '../project.ts'

const signal = never()
const id = expect.stringMatching(/^[0-9a-f]{40}$/)

describe('the save of a turn', () => {
  it('stores the files before the first change and after the last', async () => {
    const { run, checkpoints } = await openProject({ files: { a: '1' } })
    expect(await turn(checkpoints(), 'go', () => run('echo 2 > a'))).toEqual([
      { id, notes: [] },
      { id, notes: [] },
    ])
  })

  it('happens once', async () => {
    const { checkpoints, commandLines } = await counted()
    const session = checkpoints()
    session.begin(user(text('go')))
    expect(await session.save({ signal })).toEqual({ id, notes: [] })
    const { length } = commandLines
    expect(await session.save({ signal })).toBe(undefined)
    expect(commandLines).toHaveLength(length)
  })

  it('runs nothing if no call may change files', async () => {
    const { folder, checkpoints, commandLines } = await counted()
    const session = checkpoints()
    session.begin(user(text('look')))
    expect(await session.end()).toBe(undefined)
    expect(commandLines).toEqual([])
    expect(readdirSync(folder)).toEqual(['project'])
  })

  it('is dropped if nothing changed', async () => {
    const { shadow, checkpoints } = await openProject({ files: { a: '1' } })
    expect(await turn(checkpoints(), 'look', () => undefined)).toEqual([{ id, notes: [] }, undefined])
    expect(await listTurns(shadow, { signal })).toEqual([])
  })

  it('is labelled with the first words of the prompt, in one line', async () => {
    const { run, shadow, checkpoints } = await openProject()
    const session = checkpoints()
    const content = [text('<environment>'), text(`fix\n\tthe \u001b[31mlogin\u0000 ${'page '.repeat(40)}`)]
    session.begin({ ...user(...content), metadata: { context: '1' } })
    await session.save({ signal })
    run('echo x > x')
    await session.end()
    const [{ label = '' } = {}] = await listTurns(shadow, { signal })
    expect(label).toMatch(/^fix the \[31mlogin page page [page ]*$/)
    expect(label.length).toBeLessThanOrEqual(72)
  })

  it('stops on abort', async () => {
    const { checkpoints } = await openProject({ files: { a: '1' } })
    const session = checkpoints()
    session.begin(user(text('go')))
    const stopped = AbortSignal.abort()
    expect(await thrown(() => session.save({ signal: stopped }))).toMatchObject({ code: 'aborted' })
    expect(await session.end()).toBe(undefined)
  })

  slowIt('waits for another process that saves in the same folder', async () => {
    const { run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    const [one, two] = [checkpoints({ session: 'one' }), checkpoints({ session: 'two' })]
    for (const session of [one, two]) session.begin(user(text('go')))
    const saved = await Promise.all([one, two].map((session) => session.save({ signal })))
    run('echo 2 > a')
    expect([...saved, ...(await Promise.all([one, two].map((session) => session.end())))]).toEqual(
      Array(4).fill({ id, notes: [] }),
    )
    expect(await listTurns(shadow, { session: 'one', signal })).toHaveLength(1)
  })

  it('includes written files whose names begin with special characters', async () => {
    const { put, root, checkpoints } = await openProject()
    const session = checkpoints()
    const said = await turn(session, 'write', async () => {
      await session.keep(join(root, '\ufeffa'), { signal })
      put('\ufeffa', '1')
    })
    expect(said).toEqual(Array(2).fill({ id, notes: [] }))
  })

  slowIt('works after a kill during the creation of the repository', async () => {
    const { shadow, checkpoints } = await openProject({ files: { a: '1' } })
    mkdirSync(join(shadow.path, 'refs'), { recursive: true })
    writeFileSync(join(shadow.path, 'HEAD'), 'ref: refs/heads/master\n')
    expect(await listTurns(shadow, { signal })).toEqual([])
    expect(await turn(checkpoints(), 'look', () => undefined)).toEqual([{ id, notes: [] }, undefined])
  })
})

quickDescribe('if not all can be saved, one note explains why and the turn proceeds', () => {
  const reason = (why: string) => ({
    notes: [`changes here cannot be undone: ${why}`],
    unsaved: 'this turn',
  })
  const commands = (why: string) => ({
    notes: [`what commands change cannot be undone: ${why}`],
    unsaved: 'what commands changed',
  })

  it('too many files', async () => {
    const { put, shadow, checkpoints, commandLines } = await counted()
    for (const name of ['a', 'b', 'c', 'd']) put(name, name)
    const session = checkpoints({ limits: { ...patientLimits, files: 3 } })
    const why = 'there are more than 3 files; list the ones to skip in .gitignore'
    expect(await turn(session, 'one', () => undefined)).toEqual([commands(why), { id, notes: [] }])
    const { length } = commandLines
    const again = { ...commands(why), notes: [] }
    expect(await turn(session, 'two', () => undefined)).toEqual([again, { id, notes: [] }])
    expect(await turn(session, 'three', () => undefined, true)).toEqual([undefined, undefined])
    const listings = commandLines.slice(length).filter(({ args }) => args.includes('ls-files'))
    expect(listings).toEqual([])
    expect((await listTurns(shadow, { signal })).map(({ label }) => label)).toEqual(['two', 'one'])
  })
  describe('the save takes too long', () => {
    /** Each git takes `each` ms, one that lists files `listing` more, and the one that lists turns to drop `tidying` more. */
    function slow({ each = 0, listing = 0, tidying = 0 }) {
      let lists = 0
      const clock = createHandClock()
      return openProject({
        clock,
        commands: (real) => ({
          ...real,
          run: (line, options) => {
            if (line.args.includes('ls-files')) clock.advance(listing)
            if (line.args.includes('for-each-ref') && ++lists > 1) clock.advance(tidying)
            clock.advance(each)
            return real.run(line, options)
          },
        }),
      })
    }

    it('all files are too many for its time: keeps what is written', async () => {
      const { checkpoints, put, list, root, shadow } = await slow({ each: 300, listing: 2_000 })
      put('a', 'one')
      const session = checkpoints({ limits: turnLimits })
      const write = async () => {
        await session.keep(join(root, 'a'), { signal })
        put('a', 'two')
      }
      const why = 'saving the files took longer than 2 s'
      expect(await turn(session, 'go', write)).toEqual([commands(why), { id, notes: [] }])
      await undoTurn(shadow, { signal })
      expect(Object.values(list())).toEqual([expect.stringContaining('one')])
    })

    it('not even what is written can be kept', async () => {
      const { checkpoints } = await slow({ each: 11_000 })
      const why = 'saving the files took longer than 10 s'
      expect(await turn(checkpoints({ limits: turnLimits }), 'go', () => undefined)).toEqual([
        reason(why),
        undefined,
      ])
    })

    it('only tidying is late: the turn is saved', async () => {
      const { checkpoints, put } = await slow({ tidying: 60_000 })
      expect(await turn(checkpoints({ limits: turnLimits }), 'go', () => put('a', 'two'))).toEqual([
        { id, notes: [] },
        { id, notes: [] },
      ])
    })
  })

  it('git hangs', async () => {
    const limits = { ...turnLimits, ms: 300, writtenMs: 300 }
    const slow = (real: CommandRunner): CommandRunner => ({
      ...real,
      run: (line, options) => real.run({ ...line, file: 'sleep', args: ['10'] }, options),
    })
    const { checkpoints } = await openProject({ commands: slow })
    const why = 'saving the files took longer than 0.3 s'
    expect(await turn(checkpoints({ limits }), 'go', () => undefined)).toEqual([reason(why), undefined])
  })

  it('git is not installed', async () => {
    const { checkpoints, folder } = await openProject({ path: '/nonexistent' })
    expect(await turn(checkpoints(), 'go', () => undefined)).toEqual([
      reason('git is not installed'),
      undefined,
    ])
    expect(readdirSync(folder).sort()).toEqual(['project', 'state'])
  })

  it('the state folder is not writable', async () => {
    const { folder, checkpoints } = await openProject()
    writeFileSync(join(folder, 'state'), 'a file')
    const [saved] = await turn(checkpoints(), 'go', () => undefined)
    expect(saved).toEqual({
      notes: [expect.stringMatching(/^changes here cannot be undone: .*a part of the path is a file/)],
      unsaved: 'this turn',
    })
  })

  it.runIf(process.platform === 'linux')('the state folder cannot be created: fails at once', async () => {
    const { checkpoints } = await openProject({ state: '/proc/nope' })
    const [saved] = await turn(checkpoints(), 'go', () => undefined)
    expect(saved).toEqual({
      notes: [expect.stringMatching(/^changes here cannot be undone: .*no such file or folder$/)],
      unsaved: 'this turn',
    })
  })

  it('added folders, which the note names', async () => {
    const { checkpoints, run } = await openProject({ files: { a: 'a' } })
    const session = checkpoints({ uncovered: ['/srv/one', '/srv/two'] })
    const notes = ['what commands change in added folders cannot be undone: /srv/one, /srv/two']
    expect(await turn(session, 'one', () => undefined)).toEqual([{ id, notes }, undefined])
    expect(await turn(session, 'two', () => run('echo > a'))).toEqual([
      { id, notes: [] },
      { id, notes: [] },
    ])
  })

  it('the front end gives the reason', async () => {
    const { checkpoints } = await openProject()
    const session = checkpoints({ treeless: 'this is the home folder' })
    expect(await turn(session, 'one', () => undefined)).toEqual([
      commands('this is the home folder'),
      { id, notes: [] },
    ])
  })
})

quickDescribe('saved turns', () => {
  it('are readable by their owner only', async () => {
    const { folder, run, shadow, checkpoints } = await openProject({ files: { a: '1' } })
    await turn(checkpoints(), 'go', () => run('echo 2 > a'))
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([join(folder, 'state/checkpoints'), shadow.path].map(mode)).toEqual(['700', '700'])
  })

  it('are not part of the project, even if stored inside it', async () => {
    const { root, run, shadow, checkpoints } = await openProject({ files: { a: '1' }, stateIn: 'pi*pe' })
    await turn(checkpoints(), 'go', () => run('echo 2 > a; echo log > pi*pe/log'))
    expect(await undoTurn(shadow, { signal })).toMatchObject({ changed: ['a'], removed: [], broughtBack: [] })
    expect(readFileSync(join(root, 'pi*pe/log'), 'utf8')).toBe('log\n')
  })
})

/** A project that records every command line. */
async function counted() {
  const commandLines: CommandLine[] = []
  const project = await openProject({
    commands: (real) => ({
      ...real,
      run: (line, options) => {
        commandLines.push(line)
        return real.run(line, options)
      },
    }),
  })
  return { ...project, commandLines }
}
