import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillDisk, mountSmallDisk } from '../support/mount.ts'
import { expectRun } from '../support/program.ts'
import { say, use } from '../support/replies.ts'
import { openPrompt } from '../support/screen.ts'
import { outline } from '../support/session-file.ts'
import { openWorld, type World } from '../support/world.ts'

/** Wide enough that no message is broken into rows. */
const wide = { columns: 300, rows: 40 }
/** More than the last page of a file has room for. */
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

/** What the audit log says of each turn but the first. */
function laterTurns({ home }: World): string {
  const folder = join(home, 'audit')
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  const words = lines.flatMap((line) => /"decision":"(\w+)"/.exec(line)?.[1] ?? [])
  return words.join(' ').replace(/^.*? turn_ended /, '')
}

const turn = 'user_message tool_call_requested permission_granted'
const lastTurn = `${turn} checkpoint tool_executed round_ended assistant_text round_ended checkpoint turn_ended`

describe('the terminal UI on a full disk', () => {
  it.for([
    { folder: 'sessions', replies: [], audited: `turn_ended ${lastTurn}`, kept: [] },
    {
      folder: 'audit',
      replies: [touch('unseen')],
      // The model has asked for it, but it does not run.
      audited: `${turn} tool_not_executed turn_ended ${lastTurn}`,
      kept: [
        `user: second: ${long}`,
        'assistant: bash [tool_use]',
        'tool_result: [interrupted: this call was not carried out to its end] [error]',
      ],
    },
  ])(
    'says so and goes on when there is room again: for $folder',
    async ({ folder, replies, audited, kept }, { skip }) => {
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
      await screen.until(new RegExp(`cannot write ${home}/${folder}/\\S+: the disk is full; free some space`))
      free()
      await send('third', /^› third$/m)
      await screen.until(/Third\.[\s\S]*^›/m)
      expect([existsSync(join(cwd, 'unseen')), existsSync(join(cwd, 'seen'))]).toEqual([false, true])
      screen.type('\u0004')
      expect(await screen.ended).toBe(0)
      expectRun(await world.pipe(['audit', 'verify']), {
        stdout: expect.stringContaining('lines as they were written'),
      })
      expect(laterTurns(world)).toBe(audited)
      expect((await world.sessions()).map(outline)).toEqual([
        [
          ...['user: first', 'assistant: First.'],
          ...kept,
          ...['user: third', 'assistant: bash [tool_use]', 'tool_result: (no output)', 'assistant: Third.'],
        ],
      ])
    },
  )
})
