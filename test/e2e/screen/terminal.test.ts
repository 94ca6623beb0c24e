import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isOneFile, openWorld, preloading } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { openPrompt, play, type ScreenSize } from '../../support/terminals/screen.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
const text = (words: string) => ({ type: 'text', text: words })
const call = (name: string, args: object) => ({ type: 'tool_call', name, arguments: args })

describe('the terminal', () => {
  it.each([
    ['an uncaught exception', "throw new Error('boom')"],
    ['an unhandled rejection', "Promise.reject(new Error('boom'))"],
  ])('is restored after %s, before the error is printed (PROC-346)', async (_, fault) => {
    const world = await openWorld()
    await world.put('fault.cjs', `if (process.stdin.isTTY) setTimeout(() => { ${fault} }, 1500)`)
    const line = `${preloading(`${world.cwd}/fault.cjs`)} pipe; echo "ended $?"; stty -a`
    const screen = await play(world, { columns: 120, rows: 40 }, [{ blocks: [text('Hi.')] }], line)
    await screen.until(/boom[\s\S]*ended [1-9]/)
    await screen.until(/ icanon [\s\S]* echo /)
    const raw = screen.raw()
    for (const [on, off] of [
      ['\u001b[?2004h', '\u001b[?2004l'],
      ['\u001b[?25l', '\u001b[?25h'],
      ['\u001b[>5u', '\u001b[<u'],
      ['\u001b[?1004h', '\u001b[?1004l'],
      ['\u001b[22;0t', '\u001b[23;0t'],
    ] as const) {
      const restored = raw.indexOf(off, raw.lastIndexOf(on))
      expect(restored).toBeGreaterThan(-1)
      expect(restored).toBeLessThan(raw.indexOf('boom'))
    }
  })

  // They make a stream of Node's own fail, which Bun does not have.
  it.skipIf(isOneFile).each([
    ['EPIPE', -32],
    ['EIO', -5],
  ])(
    'that is still there after writes failed with %s gets every row, and the turn goes on',
    async (_, code) => {
      const world = await openWorld()
      // Fails the first three writes after the answer began.
      await world.put(
        'fault.cjs',
        `if (process.stdout.isTTY) {
        const { _handle: handle } = process.stdout
        let left = 0
        for (const name of ['writeUtf8String', 'writeLatin1String', 'writev']) {
          const write = handle[name]
          handle[name] = (...args) => {
            if (left === 0 && JSON.stringify(args[1]).includes('row 1 ')) left = 4
            if (left > 1) return left--, ${code}
            return write.apply(handle, args)
          }
        }
      }`,
      )
      const rows = Array.from({ length: 40 }, (_, i) => `row ${i + 1} of it`).join('\n\n')
      const rounds = [{ blocks: [text(rows)], pace_ms: 5 }]
      const line = `${preloading(`${world.cwd}/fault.cjs`)} exec pipe`
      const screen = await play(world, medium, rounds, line)
      screen.type('go\r')
      await screen.until(/row 40 of it\n\n─+\n›/)
      const shown = [...screen.history().matchAll(/^ *row (\d+) of it$/gm)].map(([, row]) => Number(row))
      expect(shown).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
    },
  )

  it.each([
    // dvtm takes them for other things, such as a move of the cursor.
    ['TERM=dvtm-256color', []],
    ['TERM=xterm-kitty', ['<u', '>5u', '<u']],
    ['TERM=xterm', ['?1036s', '<u', '>5u', '?1036h', '?1036r', '<u']],
    [
      'TERM=xterm XTERM_VERSION="XTerm(379)"',
      ['?1036s', '<u', '>5u', '>4;1m', '?1036h', '>4m', '?1036r', '<u'],
    ],
  ])('gets the keyboard modes that it knows, and they are put back: %s', async (env, modes) => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }], `exec env ${env} pipe`)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    const sent = screen.raw().split('\u001b[')
    expect(sent.flatMap((one) => /^(?:[<>=][\d;]*[um]|\?10(?:36|07)[hlsr])/.exec(one) ?? [])).toEqual(modes)
  })

  it('is known as xterm by its own answer, over ssh', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }])
    await expect.poll(screen.raw).toContain('\u001b[>0q')
    expect(screen.raw()).not.toContain('\u001b[>4;1m')
    screen.type('\u001bP>|XTerm(379)\u001b\\')
    await expect.poll(screen.raw).toContain('\u001b[>4;1m')
    screen.type('one')
    screen.type('\u001b[27;2;13~')
    screen.type('two')
    await screen.until(/^› one\n {2}two$/m)
    screen.type('\u0003\u0004')
    expect(await screen.ended).toBe(0)
    expect(screen.raw().lastIndexOf('\u001b[>4m')).toBeGreaterThan(screen.raw().lastIndexOf('\u001b[>4;1m'))
  })

  it('shows no italics in screen, which would show them as inverse', async () => {
    const world = await openWorld()
    const rounds = [{ blocks: [text('An *important* word.')] }]
    const screen = await play(world, medium, rounds, 'exec env TERM=screen-256color STY=1.pts pipe')
    screen.type('go\r')
    await screen.until(/An important word\.\n\n─+\n›/)
    expect(screen.raw()).not.toMatch(/\[(?:\d+;)*3[;m]/)
  })

  it('is set up anew by the next start after a kill -9, and restored at its end (PROC-347)', async () => {
    const world = await openWorld()
    const line = "sh -c 'echo $$ > pid; exec pipe'; printf '\\n\\n\\n'; exec pipe"
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }], line)
    process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGKILL')
    await screen.until(/^pipe [\s\S]*^pipe [\s\S]*\n›/m)
    screen.type('\u001b[200~one\rtwo\u001b[201~')
    await screen.until(/› one\n {2}two\n/)
    screen.type('\r')
    await screen.until(/▌ one\n▌ two\n\n {2}Read\./)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    const raw = screen.raw()
    const protocols = raw.split('\u001b[').flatMap((one) => /^(?:>5|<)u/.exec(one) ?? [])
    const left = protocols.reduce((depth, one) => (one === '>5u' ? depth + 1 : Math.max(0, depth - 1)), 0)
    const isOn = (on: string, off: string) => raw.lastIndexOf(on) > raw.lastIndexOf(off)
    expect([left, isOn('\u001b[?2004h', '\u001b[?2004l'), isOn('\u001b[?25l', '\u001b[?25h')]).toEqual([
      0,
      false,
      false,
    ])
  })

  it.each(['the prompt', 'a view'])(
    'is set up and drawn again on SIGWINCH, which a new one may send: %s',
    async (place) => {
      const world = await openWorld()
      const line = "sh -c 'echo $$ > pid; exec pipe'"
      const rounds = [{ blocks: [call('bash', { command: 'seq 9' })] }, { blocks: [text('Done.')] }]
      const screen = await play(world, medium, rounds, line)
      screen.type('go\r')
      await screen.until(/Done\.\n\n─+\n›/)
      screen.type('two words')
      await screen.until(/^› two words$/m)
      const isView = place === 'a view'
      const shown = isView ? /^── [\s\S]*^\s*9$/m : /^› two words$/m
      if (isView) screen.type('\u000f')
      await screen.until(shown)
      const before = screen.raw().length
      process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGWINCH')
      const since = () => screen.raw().slice(before)
      const modes = ['?2004h', '>5u', '?25l', '?1004h', ...(isView ? ['?1049h'] : [])]
      for (const mode of modes) await expect.poll(since).toContain(`\u001b[${mode}`)
      await expect.poll(since).toContain(isView ? '9' : 'two words')
      expect(since()).not.toContain('\u001b[22;0t')
      if (isView) screen.type('q')
      await screen.until(/Done\.\n\n─+\n› two words\n/)
      expect(screen.history().match(/Done\./g)).toHaveLength(1)
    },
  )

  it('shows an image in Markdown as text, and fetches nothing (TERM-237)', async () => {
    let asked = 0
    const pictures = createServer((_, response) => {
      asked++
      response.end()
    })
    await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void pictures.close())
    const address = pictures.address()
    const port = typeof address === 'object' ? address?.port : 0
    const world = await openWorld()
    const picture = `![x](http://127.0.0.1:${port}/?q=SECRET)`
    const screen = await play(world, medium, [{ blocks: [text(`Look: ${picture}\n\nSeen.`)] }])
    screen.type('draw\r')
    await screen.until(/Seen\.\n\n─+\n›/)
    expect(asked).toBe(0)
  })

  it('shows a long command to its end before Enter can allow it (TERM-238)', async () => {
    const world = await openWorld()
    const command = Array.from({ length: 300 }, (_, i) => `echo row ${i}`).join('\n')
    const rounds = [{ blocks: [call('bash', { command })] }, { blocks: [text('As you say.')] }]
    const screen = await play(world, { columns: 40, rows: 12 }, rounds)
    screen.type('go\r')
    await screen.until(/Run this command[\s\S]*❯ n/)
    screen.type('\r')
    await screen.until(/As you say\./)
    const said = (await world.sessions()).flatMap(outline).join('\n')
    expect(said).toContain('Permission denied: the user said no')
  })

  it('tells its background in any pieces, which changes the colours and types nothing', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }])
    await expect.poll(screen.raw).toContain('\u001b]11;?')
    const before = screen.raw().length
    for (const piece of ['\u001b', ']11;rgb:ffff/ff', 'ff/ffff\u001b', '\\']) screen.type(piece)
    // The grey of the light theme.
    await expect.poll(() => screen.raw().slice(before)).toContain('\u001b[38;5;242m')
    expect(screen.text()).toMatch(/^› Ask /m)
  })

  it('is set up and drawn again on Ctrl+L, with the draft', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }])
    screen.type('two words')
    await screen.until(/^› two words$/m)
    const shown = screen.text()
    const before = screen.raw().length
    screen.type('\u000c')
    await expect.poll(() => screen.raw().slice(before)).toMatch(/\[\?2004h[\s\S]*two words/)
    await expect.poll(screen.text).toBe(shown)
  })

  it('shows a paste whose end never came, and stops a command on Esc in the middle of another', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }])
    screen.type('!sleep 1000\r')
    await screen.until(/sleep 1000[\s\S]*Esc stops/)
    screen.type('\u001b[200~half')
    screen.type('-done')
    await screen.until(/› half-done$/m)
    screen.type('\u001b[200~ again')
    screen.type('\u001b')
    await expect.poll(screen.text).not.toMatch(/Esc stops/)
    await screen.until(/› half-done again$/m)
  })

  it('accepts a pasted megabyte as text, and sends nothing (PROC-354)', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }])
    const pasted = 'rm -rf x\r'.repeat(120_000)
    screen.type(`\u001b[200~${pasted}\u001b[201~`)
    await screen.until(/› \[pasted 120000 lines · 1\.1 MB\]/)
    expect(await world.sessions()).toEqual([])
  })
})

/** A question for the clipboard of the terminal, and its answer. */
const request = '\u001b]52;c;?\u0007'
const reply = (text: string) => `\u001b]52;c;${btoa(text)}\u0007`

it('Ctrl+V asks the terminal for its clipboard only if the user set so, and takes only an answer to that', async () => {
  const world = await openWorld()
  const usual = await openPrompt(world, medium)
  usual.type('\u0016')
  await usual.until(/no clipboard with images is within reach here/)
  usual.type(reply('not asked for'))
  usual.type('typed')
  await usual.until(/› typed *$/m)
  expect(usual.raw()).not.toContain(request)
  const { pipe } = world
  expect((await pipe(['config', 'set', 'tui.clipboard_read', 'true'])).code).toBe(0)
  const screen = await openPrompt(world, medium)
  screen.type('see \u0016')
  await expect.poll(screen.raw).toContain(request)
  screen.type(reply('what was copied'))
  await screen.until(/› see what was copied *$/m)
  screen.type(reply('late'))
  screen.type(' now')
  await screen.until(/› see what was copied now *$/m)
})
