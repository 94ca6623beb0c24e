import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorld, preloading, type World } from '../../support/programs/world.ts'
import { openScreen, play, type ScreenRun, type ScreenSize } from '../../support/terminals/screen.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
const text = (words: string) => ({ type: 'text', text: words })
const bash = (command: string) => ({ type: 'tool_call', name: 'bash', arguments: { command } })
/** The prompt, and the status line of a program that waits for it. */
const idle = /\n─+\n› Ask for more [^\n]*\n─+\nbypass · /

/** Says whether the terminal shows its other screen. */
function isCovered(raw: string): boolean {
  return raw.lastIndexOf('\u001b[?1049h') > raw.lastIndexOf('\u001b[?1049l')
}

/** Plays a command with 50,000 lines of output, and opens that output. */
async function openOutput(world: World, line: string): Promise<ScreenRun> {
  const count = { blocks: [bash("seq -f 'line %.0f.' 50000")] }
  const screen = await play(
    world,
    medium,
    [count, { blocks: [text('Counted.')] }, { blocks: [text('While you read.')] }],
    line,
  )
  screen.type('count\r')
  await screen.until(/Counted\.[\s\S]*›/)
  await screen.until(idle)
  screen.type('\u000f')
  await screen.until(/1–22 of 50,000/)
  return screen
}

describe('the view of an output', () => {
  it('shows all of 50,000 lines, finds some, and leaves the conversation as it was', async () => {
    const world = await openWorld()
    await world.put('pager.sh', 'wc -l < "$1" > counted; printf "a pager of my own"; read line')
    const screen = await openOutput(world, 'PAGER="sh pager.sh" exec pipe --yolo')
    expect(screen.text().split('\n').slice(1, 3)).toEqual(['line 1.', 'line 2.'])
    screen.type('/line 33333\r')
    await screen.until(/^line 33333\.\nline 33334\./m)
    screen.type('G')
    await screen.until(/^line 50000\.\n.* of 50,000 · end/m)
    screen.type('v')
    await screen.until(/a pager of my own/)
    expect([readFileSync(join(world.cwd, 'counted'), 'utf8').trim(), isCovered(screen.raw())]).toEqual([
      '50000',
      false,
    ])
    screen.type('\r')
    await screen.until(/^line 50000\.\n.* of 50,000 · end/m)
    screen.resize({ columns: 60, rows: 20 })
    await screen.until(/49,983–50,000 of 50,000/)
    screen.resize(medium)
    await screen.until(/49,979–50,000 of 50,000/)
    screen.type('q')
    await screen.until(idle)
    expect(screen.history()).toMatch(/^pipe [\s\S]*count[\s\S]*seq -f[\s\S]*Counted\.[\s\S]*› Ask for more/)
    expect(screen.history().match(/Counted\./g)).toHaveLength(1)
    expect(screen.history()).not.toMatch(/^line \d+\.$/m)
    expect(screen.raw()).not.toContain('\u001b[3J')
    screen.type('go on\r')
    await screen.until(/While you read\.[\s\S]*›/)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect(isCovered(screen.raw())).toBe(false)
  })

  it('ends with the program: a signal leaves the other screen and keeps the transcript', async () => {
    const world = await openWorld()
    const screen = await openOutput(world, 'echo $$ > pid; exec pipe --yolo')
    process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGTERM')
    expect(await screen.ended).toBe(143)
    expect(isCovered(screen.raw())).toBe(false)
    expect(screen.history()).toMatch(/Counted\./)
  })

  it('ends with the program: a crash leaves the other screen before it prints its error', async () => {
    const world = await openWorld()
    await world.put(
      'fault.cjs',
      "const fs = require('node:fs')\nconst look = () => { if (fs.existsSync('crash')) throw new Error('boom') }\nif (process.stdin.isTTY) setInterval(look, 20)",
    )
    const line = `${preloading(`${world.cwd}/fault.cjs`)} pipe; echo "ended $?"`
    const screen = await play(world, medium, [{ blocks: [text('Hi.')] }], line)
    screen.type('/help\r')
    await screen.until(/^Commands$/m)
    await world.put('crash', '')
    await screen.until(/boom[\s\S]*ended [1-9]/)
    const raw = screen.raw()
    const left = raw.indexOf('\u001b[?1049l', raw.lastIndexOf('\u001b[?1049h'))
    expect(left).toBeGreaterThan(-1)
    expect(left).toBeLessThan(raw.indexOf('boom'))
  })

  it('gives way to the shell on Ctrl+Z, and is there again after fg', async () => {
    const world = await openWorld()
    await world.put(
      'script.json',
      JSON.stringify({
        version: 1,
        rounds: [{ blocks: [bash('echo it is here')] }, { blocks: [text('Said.')] }],
      }),
    )
    await world.configure({ model: 'replay/script.json' })
    const shell = { ...world, env: { ...world.env, PS1: 'shell: ' } }
    const screen = openScreen(shell, 'exec bash --norc --noprofile -i', medium)
    await screen.until(/^shell:$/m)
    screen.type('pipe --yolo\r')
    await screen.until(/^›/m)
    screen.type('say it\r')
    await screen.until(/Said\.[\s\S]*›/)
    await screen.until(idle)
    screen.type('\u000f')
    await screen.until(/^it is here$[\s\S]*q closes/m)
    screen.type('\u001a')
    await screen.until(/Stopped[\s\S]*shell:$/)
    expect([isCovered(screen.raw()), screen.text()]).toEqual([false, expect.stringContaining('Said.')])
    screen.type('fg\r')
    await screen.until(/^it is here$[\s\S]*q closes/m)
    screen.type('q')
    await screen.until(idle)
    screen.type('\u0004')
    await screen.until(/shell:$/)
  })
})
