import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { lastText, outlineRequest, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'
import { elf, end } from './elf-sessions-setup.ts'

/** A world after a run with two elves, whose sessions are named by their parts in it. */
async function worked() {
  const world = await openWorld()
  world.server.reply(say('Earlier.'))
  expectRun(await world.pipe(['before']), { stdout: 'Earlier.\n' })
  world.server.reply(use(elf('look')), say('One.'), use(elf('look again')), say('Two.'), say('Done.'))
  expectRun(await world.pipe(['go']), { stdout: 'Done.\n' })
  const sessions = await world.sessions()
  const id = (prompt: string) => {
    const found = sessions.find(({ messages: [first] }) => first?.content.at(-1)?.['text'] === prompt)
    if (found === undefined) throw new Error(`no session begins with ${prompt}`)
    return found.id
  }
  const [before, parent, one, two] = ['before', 'go', 'look', 'look again'].map(id)
  const ids = { before: before ?? '', parent: parent ?? '', one: one ?? '', two: two ?? '' }
  const log = (session: string) => join(world.home, 'audit', `${session}.jsonl`)
  return { ...world, ...ids, log }
}

quickDescribe('the session of an elf', () => {
  it('is listed below that of its parent, and left out where a conversation is chosen', async () => {
    const { pipe, server, before, parent, one, two } = await worked()
    const { stdout } = await pipe(['sessions'])
    const rows = stdout.trimEnd().split('\n')
    expect(rows.map((row) => row.slice(0, 36))).toEqual([parent, one, two, before])
    expect(rows.map((row) => row.replace(/^.* {2}(?=\S)/, ''))).toEqual([
      'go',
      'elf: look',
      'elf: look again',
      'before',
    ])
    expect((await pipe(['sessions', '--limit', '1'])).stdout.trimEnd().split('\n')).toHaveLength(3)
    const listed = JSON.parse((await pipe(['sessions', '--json'])).stdout)
    expect(listed.sessions.map((row: Record<string, string>) => row['parent_session_id'])).toEqual([
      undefined,
      parent,
      parent,
      undefined,
    ])
    server.reply(say('Again.'))
    expectRun(await pipe(['-r', two, 'and now?']), { stdout: 'Again.\n' })
    server.reply(say('Still go.'))
    expectRun(await pipe(['-c', 'next']), { stdout: 'Still go.\n' })
    const [last] = server.requests.slice(-1)
    expect(last && outlineRequest(last.body).join('\n')).toContain('Done.')
  })

  it('is deleted with its parent', async () => {
    const { pipe, sessions, before, parent } = await worked()
    expectRun(await pipe(['sessions', 'delete', parent, '--yes']), { stdout: expect.any(String) })
    expect((await sessions()).map(({ id }) => id)).toEqual([before])
  })

  it('is not found besides that of its parent', async () => {
    const { pipe, parent } = await worked()
    const { stdout } = await pipe(['recall', 'two', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, sessions: [{ id: parent }] })
  })
})

describe('audit verify', () => {
  slowIt('follows the elves of a session, and names the log that was changed, cut or removed', async () => {
    const { pipe, parent, one, two, log } = await worked()
    const run = await pipe(['audit', 'verify', parent])
    expectRun(run, { stdout: expect.stringContaining(`e1  ${one}: `) })
    expect(JSON.parse((await pipe(['audit', 'verify', parent, '--json'])).stdout)).toMatchObject({
      ok: true,
      elves: [
        { name: 'e1', session_id: one, ok: true },
        { name: 'e2', session_id: two, ok: true },
      ],
    })
    const text = readFileSync(log(two), 'utf8')
    const lines = text.trimEnd().split('\n')
    const faults: readonly (readonly [string, number, string])[] = [
      [text.replace('Two.', 'Tow.'), lines.findIndex((line) => line.includes('Two.')) + 1, 'it was altered'],
      [`${lines.slice(0, -1).join('\n')}\n`, lines.length, 'no line up to here has the given hash'],
    ]
    for (const [content, line, reason] of faults) {
      writeFileSync(log(two), content)
      const broken = await pipe(['audit', 'verify', parent])
      expect(broken).toMatchObject({ code: 50, stdout: '' })
      expect(broken.stderr).toContain(`the elf e2: ${log(two)}, line ${line}: ${reason}`)
    }
    rmSync(log(two))
    expect((await pipe(['audit', 'verify', parent])).stderr).toContain(
      `the elf e2: ${two}, line 1: the log is missing`,
    )
  })

  it('shows the elves of a session in its log', async () => {
    const { pipe, parent, one } = await worked()
    const { stdout } = await pipe(['audit', 'show', parent])
    expect(stdout).toMatch(new RegExp(`elf_started .*name=e1 session_id=${one}`))
    expect(stdout).toMatch(new RegExp(`elf_ended .*name=e1 session_id=${one} audit_head=[0-9a-f]{64}`))
  })
})

quickDescribe('the question of an elf', () => {
  it('is asked again after the terminal was closed, and the elf goes on where it was', async () => {
    const world = await openWorld()
    world.server.reply(
      use(elf('say hi', { agent: 'general' })),
      use(['bash', { command: `node -e "fs.writeFileSync('ran.txt', 'ran')"` }]),
    )
    const size = { columns: 100, rows: 40 }
    const screen = openScreen(world, 'pipe go', size)
    await screen.until(/e1 \(general\): Run this command\?[\s\S]*>$/)
    const [question] = await pending(world.home)
    end(world.home, 'SIGHUP')
    await screen.ended
    expect(await pending(world.home)).toEqual([question])
    world.server.reply(say('It ran.'), say('Done.'))
    const again = openScreen(world, 'pipe -p -c', size)
    await again.until(/e1 \(general\): Run this command\?[\s\S]*>$/)
    expect(await pending(world.home)).toEqual([question])
    again.type('y\r')
    await again.until(/Use e1's changes to 1 file\?[\s\S]*>$/)
    again.type('y\r')
    await again.until(/Done\./)
    expect(await again.ended).toBe(0)
    expect(world.server.requests).toHaveLength(4)
    expect(readFileSync(join(world.cwd, 'ran.txt'), 'utf8')).toBe('ran')
    const [, , elfs, parents] = world.server.requests.map(({ body }) => lastText(body))
    expect(elfs).toBe('tool: (no output)')
    expect(parents).toMatch(/^tool: It ran\.\n\n\[e1 · general · fake\/model-1 · 1 round\]/)
  })
})

quickDescribe('a killed run', () => {
  it('leaves the calls of its elves as interrupted', async () => {
    const world = await openWorld()
    world.server.reply(
      use(elf('one'), elf('two')),
      () => undefined,
      () => undefined,
    )
    const run = world.start(['-o', 'stream-json', 'go'])
    await run.until(/elf_start[\s\S]*elf_start/)
    await expect.poll(() => world.server.requests.length).toBe(3)
    run.kill('SIGKILL')
    await run.ended
    world.server.reply(say('They were interrupted.'))
    expectRun(await world.pipe(['-c', 'and?']), { stdout: 'They were interrupted.\n' })
    const [last] = world.server.requests.slice(-1)
    const said = last === undefined ? [] : outlineRequest(last.body)
    expect(said.filter((line) => line.startsWith('tool: '))).toEqual(
      Array(2).fill(expect.stringMatching(/interrupted/)),
    )
  })
})

/** The open questions of the parent's session. */
async function pending(home: string): Promise<readonly unknown[]> {
  const folder = join(home, 'sessions')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const sessions = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  return sessions.filter((one) => one.parent_session_id === undefined).flatMap((one) => one.pending ?? [])
}

quickDescribe('a replay of a session with elves', () => {
  it('takes the results of elves from the record, and starts none', async () => {
    const { pipe, parent, server } = await worked()
    const offline = await pipe(['replay', parent, '--offline'])
    expect(offline).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing differs.') })
    server.reply(use(elf('look')), use(elf('look again')), say('Done.'))
    const live = await pipe(['replay', parent])
    expect(live).toMatchObject({ code: 0 })
  })
})
