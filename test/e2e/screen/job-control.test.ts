import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { untilGone } from '../../support/programs/processes.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openScreen, type ScreenRun, type ScreenSize } from '../../support/terminals/screen.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
/** Starts pipe and writes its process id to the file `pid`. */
const noted = 'sh -c \'echo $$ > pid; exec pipe "$@"\' pipe'

/** Opens a shell with job control and types a line into it. */
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

/** The terminal modes that are on: bracketed paste, kitty keys, hidden cursor. */
function modes(raw: string): readonly boolean[] {
  const isOn = (on: string, off: string) => raw.lastIndexOf(on) > raw.lastIndexOf(off)
  return [
    isOn('\u001b[?2004h', '\u001b[?2004l'),
    isOn('\u001b[>5u', '\u001b[<u'),
    isOn('\u001b[?25l', '\u001b[?25h'),
  ]
}

describe('the terminal UI', () => {
  it.each<[string, (screen: ScreenRun, pid: number) => void]>([
    ['Ctrl+Z', (screen) => screen.type('\u001a')],
    ['Ctrl+Z right after other keys', (screen) => screen.type('x\u007f\u001a')],
    ['SIGTSTP', (_, pid) => process.kill(pid, 'SIGTSTP')],
  ])('restores the terminal and stops on %s, and continues with the draft after fg', async (_, stop) => {
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
    await screen.until(/resume with: pipe -r \S+ · \d+ s\nshell:$/)
  })

  it.each([
    ['while it sets the terminal up', '\u001b[?25l'],
    ['once it shows the prompt', '›'],
  ])('sets the terminal up again after SIGSTOP, %s', async (_, first) => {
    const world = await openWorld()
    world.server.reply(say('As you say.'))
    const screen = await openShell(world, noted)
    await expect.poll(() => screen.raw(), { interval: 1 }).toContain(first)
    process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGSTOP')
    // The terminal may have answered a question of pipe to the shell.
    await screen.until(/Stopped[\s\S]*shell:/)
    const seen = screen.raw().length
    screen.type('\u0015stty sane; fg\r')
    await expect.poll(() => modes(screen.raw().slice(seen))).toEqual([true, true, true])
    screen.type('words')
    await screen.until(/^› words$/m)
    screen.type('\r')
    await screen.until(/As you say\./)
  })

  it.each<[string, (screen: ScreenRun, pid: number) => void]>([
    ['Ctrl+Z', (screen) => screen.type('\u001a')],
    ['SIGSTOP', (_, pid) => process.kill(pid, 'SIGSTOP')],
  ])('ends with its command when the shell kills it after %s', async (_, stop) => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'echo $$ > command; exec sleep 1000' }]))
    const screen = await openShell(world, `${noted} --yolo`)
    await screen.until(/^›/m)
    screen.type('go\r')
    const read = (name: string) => Number(readFileSync(join(world.cwd, name), 'utf8'))
    await expect.poll(() => existsSync(join(world.cwd, 'command'))).toBe(true)
    await expect.poll(() => read('command')).toBeGreaterThan(0)
    stop(screen, read('pid'))
    await screen.until(/Stopped[\s\S]*shell:/)
    screen.type('kill %1\r')
    await untilGone(read('pid'), read('command'))
    screen.type('stty -a | grep -o " icanon"\r')
    await screen.until(/^ icanon$/m)
    // The shell itself turns bracketed paste on.
    expect(modes(screen.raw()).slice(1)).toEqual([false, false])
  })

  it('leaves the terminal alone and stops again if it is continued in the background', async () => {
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

  it('ignores Ctrl+Z if no shell could continue it', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'exec pipe', medium)
    await screen.until(/^›/m)
    screen.type('one')
    await screen.until(/^› one$/m)
    screen.type('\u001a')
    screen.type(' two')
    await screen.until(/^› one two$/m)
    await expect.poll(() => modes(screen.raw())).toEqual([true, true, true])
  })
})

describe('a conversation line by line', () => {
  it('takes keys after Ctrl+Z and fg, at the prompt and during a turn', async () => {
    const world = await openWorld()
    await world.shell('mkfifo gate')
    world.server.reply(use(['bash', { command: 'touch begun; cat gate' }]), say('It is over.'))
    const screen = await openShell(world, 'TERM=dumb pipe --yolo')
    await screen.until(/^>$/m)
    const stopAndContinue = async () => {
      const seen = screen.raw().length
      screen.type('\u001a')
      await expect.poll(() => screen.raw().slice(seen)).toMatch(/Stopped[\s\S]*shell: $/)
      screen.type('fg\r')
      await expect.poll(() => screen.raw().slice(seen)).toMatch(/shell: fg[\s\S]*TERM=dumb pipe/)
    }
    await stopAndContinue()
    screen.type('wait\r')
    await expect.poll(() => existsSync(join(world.cwd, 'begun'))).toBe(true)
    await stopAndContinue()
    screen.type('and then?\r')
    await screen.until(/and then\?/)
    await world.shell('echo through > gate')
    await screen.until(/It is over\.\n>$/m)
    expect(world.server.requests.map(({ body }) => lastText(body)).at(-1)).toContain('and then?')
    screen.type('\u0004')
    await screen.until(/resume with: pipe -r \S+ · \d+ s\nshell:$/)
  })
})

describe('a one-shot run', () => {
  it('stops on Ctrl+Z while its command keeps running, and continues after fg', async () => {
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
