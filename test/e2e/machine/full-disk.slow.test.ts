import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillDisk, mountSmallDisk } from '../../support/folders/mount.ts'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** Wide enough that no message wraps. */
const wide = { columns: 300, rows: 40 }
/** Longer than the free part of a file's last page. */
const long = `${'much '.repeat(900)}text`

const touch = (name: string) => use(['bash', { command: `touch ${name}` }])

/** A world in which a folder of the program's home is a small disk. */
async function openWorldOn(skip: (why: string) => never, folder: string): Promise<World> {
  const world = await openWorld()
  const disk = join(world.home, folder)
  mkdirSync(disk, { recursive: true })
  mountSmallDisk(skip, disk, 4 * 1024 * 1024)
  return world
}

/** Returns the audit log's decisions of each turn but the first. */
function laterTurns({ home }: World): string {
  const folder = join(home, 'audit')
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  const words = lines.flatMap((line) => /"decision":"(\w+)"/.exec(line)?.[1] ?? [])
  return words.join(' ').replace(/^.*? turn_ended /, '')
}

const asked = 'user_message tool_call_requested permission_granted'
const answered = 'round_ended assistant_text round_ended'
const lastTurn = `${asked} checkpoint tool_executed ${answered} checkpoint turn_ended`

describe('the terminal UI on a full disk', () => {
  it.for([
    {
      folder: 'sessions',
      what: 'nothing more is saved',
      replies: [say('Second.')],
      audited: `user_message assistant_text round_ended turn_ended ${lastTurn}`,
      kept: ['assistant: Second.'],
    },
    {
      folder: 'audit',
      what: 'the audit log is not saved',
      replies: [touch('unseen'), say('Second.')],
      // The requested call does not run, because its permission cannot be logged.
      audited: `${asked} tool_not_executed ${answered} turn_ended ${lastTurn}`,
      kept: [
        'assistant: bash [tool_use]',
        expect.stringMatching(/^tool_result: Nothing was run: .*the disk is full.* \[error\]$/),
        'assistant: Second.',
      ],
    },
  ])(
    'reports it once, continues in memory, and writes everything once there is space: $folder',
    async ({ folder, what, replies, audited, kept }, { skip }) => {
      const world = await openWorldOn(skip, folder)
      const { server, cwd, home } = world
      server.reply(say('First.'), ...replies, touch('seen'), say('Third.'))
      const screen = await openPrompt(world, wide, 'exec pipe --yolo')
      const send = async (keys: string, shown: RegExp) => {
        screen.type(keys)
        await screen.until(shown)
        screen.type('\r')
      }
      await send('first', /^› first$/m)
      await screen.until(/First\.[\s\S]*^›/m)
      const free = fillDisk(join(home, folder))
      await send(`\u001b[200~second: ${long}\u001b[201~`, /^› \[pasted/m)
      const told = new RegExp(`${what}: cannot write ${home}/${folder}/\\S+: the disk is full`)
      await screen.until(told)
      await screen.until(/Second\.[\s\S]*^›/m)
      free()
      await send('third', /^› third$/m)
      await screen.until(/there is space again: everything is saved/)
      await screen.until(/Third\.[\s\S]*^›/m)
      expect([existsSync(join(cwd, 'unseen')), existsSync(join(cwd, 'seen'))]).toEqual([false, true])
      screen.type('\u0004')
      expect(await screen.ended).toBe(0)
      expectRun(await world.pipe(['audit', 'verify']), {
        stdout: expect.stringContaining('lines, unchanged'),
      })
      expect(laterTurns(world)).toBe(audited)
      expect((await world.sessions()).map(outline)).toEqual([
        [
          ...['user: first', 'assistant: First.', `user: second: ${long}`],
          ...kept,
          ...['user: third', 'assistant: bash [tool_use]', 'tool_result: (no output)', 'assistant: Third.'],
        ],
      ])
    },
  )
})

describe('a prompt on a disk that fills up during the reply', () => {
  /** Fills the disk before the second reply of a run, and passes the function that frees it to `then`. */
  async function fillMeanwhile(
    skip: (why: string) => never,
    args: readonly string[],
    then: (free: () => void) => void,
  ) {
    const world = await openWorldOn(skip, 'sessions')
    const { server, home, start } = world
    server.reply(use(['read', { path: 'notes.txt' }]), async (_, response) => {
      then(fillDisk(join(home, 'sessions')))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents([{ type: 'text', text: `The end. ${long}` }]).join(''))
    })
    await world.put('notes.txt', 'nothing\n')
    return { world, run: await start(['-s', 'mine', ...args, 'go']).ended }
  }

  const note = 'pipe: nothing more is saved: cannot write '
  const atEnd = 'the last message of session mine could not be saved: cannot write '

  it('prints the answer, reports that it is not saved, and exits 54', async ({ skip }) => {
    const { world, run } = await fillMeanwhile(skip, [], () => undefined)
    expect([run.code, run.stdout]).toEqual([54, `The end. ${long}\n`])
    expect(run.stderr.split('\n').map((line) => line.replace(/cannot write .*/, 'cannot write '))).toEqual([
      note,
      `pipe: ${atEnd}`,
      '',
    ])
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: go', 'assistant: read [tool_use]', 'tool_result: 1\tnothing'],
    ])
  })

  it('reports that in the JSON result too', async ({ skip }) => {
    const { run } = await fillMeanwhile(skip, ['-o', 'json'], () => undefined)
    expect(run.code).toBe(54)
    expect(JSON.parse(run.stdout)).toMatchObject({
      result: `The end. ${long}`,
      stop_reason: 'end_turn',
      is_error: true,
      exit_code: 54,
      error: { code: 'storage' },
    })
  })
})

describe('a prompt with --no-session on a full disk', () => {
  it('continues without an audit log, and reports that once', async ({ skip }) => {
    const world = await openWorldOn(skip, 'audit')
    fillDisk(join(world.home, 'audit'))
    world.server.reply(use(['bash', { command: 'echo ran' }]), say('Done.'))
    const run = await world.pipe(['--no-session', '--yolo', 'go'])
    expectRun(run, { stdout: 'Done.\n', stderr: complaint('this run has no audit log: cannot write') })
    expect(run.stderr.trim().split('\n')).toHaveLength(1)
  })
})
