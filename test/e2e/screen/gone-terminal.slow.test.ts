import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'
import { isOneFile, openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { play } from '../../support/terminals/screen.ts'

/** In paragraphs: an answer on a terminal is drawn block by block. */
const text = `${'word '.repeat(10)}\n\n`.repeat(500)
const round = { blocks: [{ type: 'text', text }], pace_ms: 5 }
const fronts = [
  ['the terminal UI', 'pipe', '› ', 129],
  ['line mode', 'TERM=dumb pipe', '> ', 141],
  ['one-shot', 'pipe go', undefined, 141],
] as const
const hangups = [
  ['SIGHUP arrives', ''],
  ['SIGHUP is ignored', "trap '' HUP; "],
] as const

/** Closes the terminal's end of the pty, as a window does. The package's types omit `destroy`. */
function closeTerminal(child: object): void {
  if (!('destroy' in child) || typeof child.destroy !== 'function') throw new Error('it cannot be closed')
  child.destroy()
}

describe.each(fronts)('%s, when its terminal is closed', (_, line, prompt, exitCode) => {
  it.each(hangups)('saves the conversation and exits if %s', async (_, prelude) => {
    const world = await openWorld()
    await world.put('script.json', JSON.stringify({ version: 1, rounds: [round] }))
    await world.configure({ model: 'replay/script.json' })
    // The shell outlives the terminal to record the exit code.
    const told = join(world.home, 'ended')
    const child = spawn('sh', ['-c', `trap ':' HUP; (${prelude}exec env ${line}); echo $? > ${told}`], {
      cwd: world.cwd,
      env: { ...world.env, LANG: 'C.UTF-8', TERM: 'xterm-256color' },
    })
    let written = ''
    child.onData((data) => {
      written += data
    })
    if (prompt !== undefined) {
      await expect.poll(() => written).toContain(prompt)
      child.write('go\r')
    }
    await expect.poll(() => written).toContain('word word')
    closeTerminal(child)
    await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8')).toBe(`${exitCode}\n`)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: go', expect.stringMatching(/^assistant: word word[\s\S]*\[aborted\]$/)],
    ])
  })
})

// Under Bun, a write to a terminal that is full waits, and the keys with it.
describe.skipIf(isOneFile || !existsSync('/proc/self/io'))(
  'a terminal that reads nothing for a while',
  () => {
    it('holds up no key, and then gets every row in order', async () => {
      const world = await openWorld()
      const paragraphs = Array.from({ length: 3_000 }, (_, i) => `row ${i} ${'word '.repeat(10)}`)
      const line = "sh -c 'echo $$ > pid; exec pipe'"
      const medium = { columns: 80, rows: 24 }
      const screen = await play(
        world,
        medium,
        [{ blocks: [{ type: 'text', text: paragraphs.join('\n\n') }] }],
        line,
      )
      const pid = readFileSync(join(world.cwd, 'pid'), 'utf8').trim()
      const written = () => Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
      screen.hold(true)
      const before = written()
      screen.type('go\r')
      let last = 0
      const isStuck = () => {
        const now = written()
        const isSame = now === last && now > before + 10_000
        last = now
        return isSame
      }
      await expect.poll(isStuck, { interval: 300 }).toBe(true)
      screen.type('\u001b')
      const saved = async () => (await world.sessions()).flatMap(outline).join('\n')
      await expect.poll(saved).toMatch(/user: go\nassistant: row 0 [\s\S]*\[aborted\]/)
      screen.hold(false)
      await screen.until(/interrupted after [^\n]*\n[\s\S]*\n›/)
      const rows = [...screen.history().matchAll(/^ *row (\d+) /gm)].map(([, row]) => Number(row))
      expect(rows.length).toBeGreaterThan(20)
      expect(rows).toEqual(rows.map((_, i) => i))
    })
  },
)
