import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untilGone } from '../support/processes.ts'
import { say, use } from '../support/replies.ts'
import { openScreen, type ScreenRun, type ScreenSize } from '../support/screen.ts'
import { openWorld, type World } from '../support/world.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
/** Leaves behind which process the program is. */
const noted = 'sh -c \'echo $$ > pid; exec pipe "$@"\' pipe'

/** A shell that does job control, and what was typed into it. */
async function openShell(world: World, line: string): Promise<ScreenRun> {
  const screen = openScreen(
    { ...world, env: { ...world.env, PS1: 'shell: ' } },
    'exec bash --norc --noprofile -i',
    medium,
  )
  await screen.until(/^shell:$/m)
  screen.type(`${line}\r`)
  return screen
}

/** The modes that are on: bracketed paste, the keys of kitty, and whether the cursor is gone. */
function modes(raw: string): readonly boolean[] {
  const isOn = (on: string, off: string) => raw.lastIndexOf(on) > raw.lastIndexOf(off)
  return [
    isOn('\u001b[?2004h', '\u001b[?2004l'),
    isOn('\u001b[>1u', '\u001b[<u'),
    isOn('\u001b[?25l', '\u001b[?25h'),
  ]
}

describe('the terminal UI', () => {
  it.each<[string, (screen: ScreenRun, pid: number) => void]>([
    ['Ctrl+Z', (screen) => screen.type('\u001a')],
    ['SIGTSTP', (_, pid) => process.kill(pid, 'SIGTSTP')],
  ])('stops for %s with the terminal as it was found, and goes on where it was', async (_, stop) => {
    const world = await openWorld()
    world.server.reply(say('As you say.'))
    const screen = await openShell(world, noted)
    await screen.until(/^›/m)
    screen.type('a draft')
    await screen.until(/^› a draft$/m)
    const pid = Number(readFileSync(join(world.cwd, 'pid'), 'utf8'))
    stop(screen, pid)
    await screen.until(/Stopped[\s\S]*shell:$/)
    const written = screen.raw().slice(0, screen.raw().indexOf('Stopped'))
    expect(modes(written)).toEqual([false, false, false])
    expect(screen.text()).not.toContain('a draft')
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /)
    screen.type('stty -a | grep -o " icanon"\r')
    await screen.until(/^ icanon$/m)
    screen.type('fg\r')
    await screen.until(/^› a draft$/m)
    screen.type(', sent')
    await screen.until(/^› a draft, sent$/m)
    expect(modes(screen.raw())).toEqual([true, true, true])
    screen.type('\r')
    await screen.until(/As you say\./)
    screen.type('\u0004')
    await screen.until(/resume with: pipe -r \S+\nshell:$/)
  })

  it.each([
    ['when it has just begun to set the terminal up', '\u001b[?25l'],
    ['when it can be talked to', '›'],
  ])('sets the terminal up again after a stop that it did not hear of, %s', async (_, first) => {
    const world = await openWorld()
    world.server.reply(say('As you say.'))
    const screen = await openShell(world, noted)
    await expect.poll(() => screen.raw(), { interval: 1 }).toContain(first)
    process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGSTOP')
    await screen.until(/Stopped[\s\S]*shell:$/)
    const seen = screen.raw().length
    screen.type('stty sane; fg\r')
    await expect.poll(() => modes(screen.raw().slice(seen))).toEqual([true, true, true])
    screen.type('words')
    await screen.until(/^› words$/m)
    screen.type('\r')
    await screen.until(/As you say\./)
  })

  it.each<[string, (screen: ScreenRun, pid: number) => void]>([
    ['Ctrl+Z', (screen) => screen.type('\u001a')],
    ['SIGSTOP', (_, pid) => process.kill(pid, 'SIGSTOP')],
  ])('that %s has stopped is ended by a shell as any other job, with what it runs', async (_, stop) => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'echo $$ > command; exec sleep 1000' }]))
    const screen = await openShell(world, `${noted} --yolo`)
    await screen.until(/^›/m)
    screen.type('go\r')
    const read = (name: string) => Number(readFileSync(join(world.cwd, name), 'utf8'))
    await expect.poll(() => existsSync(join(world.cwd, 'command'))).toBe(true)
    await expect.poll(() => read('command')).toBeGreaterThan(0)
    stop(screen, read('pid'))
    await screen.until(/Stopped[\s\S]*shell:$/)
    screen.type('kill %1\r')
    await untilGone(read('pid'), read('command'))
    screen.type('stty -a | grep -o " icanon"\r')
    await screen.until(/^ icanon$/m)
    // The shell reads pasted text in brackets itself.
    expect(modes(screen.raw()).slice(1)).toEqual([false, false])
  })

  it('leaves the terminal alone and stops again when it is continued in the background', async () => {
    const world = await openWorld()
    const screen = await openShell(world, noted)
    await screen.until(/^›/m)
    screen.type('a draft')
    await screen.until(/^› a draft$/m)
    screen.type('\u001a')
    await screen.until(/Stopped[\s\S]*shell:$/)
    screen.type(
      'bg; until grep -q ") T " /proc/$(cat pid)/stat; do sleep 0.1; done; stty -a | grep -o " icanon"\r',
    )
    await screen.until(/^ icanon$[\s\S]*shell:$/m)
    screen.type('fg\r')
    await screen.until(/^› a draft$/m)
    screen.type(', sent')
    await screen.until(/^› a draft, sent$/m)
  })

  it('goes on with Ctrl+Z where no shell could bring it back', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'exec pipe', medium)
    await screen.until(/^›/m)
    screen.type('one')
    await screen.until(/^› one$/m)
    screen.type('\u001a')
    screen.type(' two')
    await screen.until(/^› one two$/m)
    expect(modes(screen.raw())).toEqual([true, true, true])
  })
})

describe('a one-shot run', () => {
  it('stops for Ctrl+Z and goes on, and what it runs goes on meanwhile', async () => {
    const world = await openWorld()
    await world.shell('mkfifo gate')
    world.server.reply(
      use(['bash', { command: 'touch begun; cat gate > got; echo done > done' }]),
      say('It is over.'),
    )
    const screen = await openShell(world, 'pipe --yolo wait')
    await expect.poll(() => existsSync(join(world.cwd, 'begun'))).toBe(true)
    screen.type('\u001a')
    await screen.until(/Stopped[\s\S]*shell:$/)
    await world.shell('echo through > gate; until [ -e done ]; do sleep 0.01; done')
    expect(world.server.requests).toHaveLength(1)
    screen.type('fg\r')
    await screen.until(/It is over\.[\s\S]*shell:$/)
  })
})
