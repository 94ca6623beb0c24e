import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { lastText, say, unfinished, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { openPrompt, openScreen, play, type ScreenRun } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'
import { counted, medium, openTypedAhead, text, wipes } from './tui-setup.ts'

const call = (name: string, args: object) => ({ type: 'tool_call', name, arguments: args })

describe('a long answer', () => {
  it('of thousands of deltas is written once, in order, and erases nothing (TERM-242)', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text(counted(2_500))] }])
    screen.type('count\r')
    await screen.until(/line 2499\.\n\n─+\n›/)
    expect(wipes.filter((one) => screen.raw().includes(one))).toEqual([])
    const lines = screen.history().match(/line \d+\./g)
    expect(lines).toEqual(Array.from({ length: 2_500 }, (_, i) => `line ${i}.`))
  })
})

describe('a window that becomes too small for the streaming block', () => {
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `<${from + i}> `).join('')

  it.each([
    ['a paragraph', '', ''],
    ['a list', '- one\n- two ', ''],
    ['code', '```\n', '\n```'],
  ])('shows each word of %s once', async (_, begin, end) => {
    const world = await openWorld()
    const gate = deferred()
    world.server.reply(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(unfinished({ type: 'text', text: `${begin}${words(0, 100)}` }))
      await gate.promise
      response.end(replyEvents([text(`${words(100, 160)}${end}\n\nThat is all.`)]).join(''))
    })
    const screen = await openPrompt(world, medium)
    screen.type('count\r')
    await screen.until(/<99>[\s\S]*›/)
    const before = screen.raw().length
    screen.resize({ columns: 30, rows: 9 })
    await expect.poll(() => screen.raw().length).toBeGreaterThan(before)
    gate.resolve()
    await screen.until(/That is all\.[\s\S]*›/)
    expect(screen.history().replaceAll('\n', '').match(/<\d+>/g)).toEqual(words(0, 160).trim().split(' '))
  })
})

describe('typed input', () => {
  it('appears in the prompt only, if typed before the program reads', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'exec pipe', medium)
    screen.type('typed ahead')
    await screen.until(/^› typed ahead/m)
    expect(screen.history()).toMatch(/^pipe [^\n]*\n\n─+\n› typed ahead\n/)
  })

  const editors = [
    ['', false],
    [' in the line editor of a shell', true],
  ] as const

  it.each(editors)(
    'is sent if it is one line with its Enter, typed before the program reads%s',
    async (_, isEdited) => {
      const world = await openWorld()
      world.server.reply(say('Hello.'))
      const screen = await openTypedAhead(world, 'hello\r', isEdited)
      await screen.until(/^▌ hello\n[\s\S]*Hello\.[\s\S]*^›/m)
    },
  )

  it.each(editors)(
    'waits in the prompt if it is several lines, typed before the program reads%s',
    async (_, isEdited) => {
      const world = await openWorld()
      const screen = await openTypedAhead(world, 'hello\rthere\r', isEdited)
      await screen.until(/^› hello\n {2}there$/m)
      screen.type('!\r')
      world.server.reply(say('Hello.'))
      await screen.until(/Hello\.[\s\S]*^›/m)
      expect(world.server.requests.map(({ body }) => lastText(body))).toEqual([
        expect.stringMatching(/\n\nhello\nthere\n!$/),
      ])
    },
  )

  it('is sent with the next request, if typed while a command runs', async () => {
    const world = await openWorld()
    await world.shell('mkfifo gate')
    const screen = await play(
      world,
      medium,
      [{ blocks: [call('bash', { command: 'cat gate' })] }, { blocks: [text('As you say.')] }],
      'exec pipe --yolo',
    )
    screen.type('run\r')
    await screen.until(/[⠀-⣿] bash/)
    screen.type('be quick\r')
    await screen.until(/↳ next: be quick/)
    await world.shell('echo through > gate')
    await screen.until(/● bash +cat gate.*\n\n▌ be quick\n\n {2}As you say\./)
  })

  it('answers a question with the arrow keys; Esc stops the command and keeps its last output', async () => {
    const world = await openWorld()
    await world.shell('mkfifo gate')
    const command = 'echo begun; cat gate; touch over'
    const screen = await play(world, medium, [{ blocks: [call('bash', { command })] }])
    screen.type('run\r')
    await screen.until(/❯ y/)
    screen.type('\u001b[B')
    await screen.until(/❯ s {2}this session: .*touch over/)
    screen.type('\r')
    await screen.until(/^ +begun$/m)
    screen.type('\u001b')
    await screen.until(
      /– bash +echo begun.* interrupted .*\n {12}begun\n\n {2}– interrupted after[^\n]*\n\n─+\n›/,
    )
  })

  it('reaches the model as the reason for a refusal', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch x' }]), say('Then not.'))
    const screen = await openPrompt(world, medium)
    screen.type('make it\r')
    await screen.until(/❯ y[\s\S]*w {2}no, and say why/)
    screen.type('w')
    await screen.until(/why not\?/)
    screen.type('use the makefile\r')
    await screen.until(/Then not\./)
    expect(world.server.requests.map(({ body }) => lastText(body))[1]).toBe(
      'tool: Permission denied: the user said no: use the makefile. The call was not carried out.',
    )
  })

  it('is not sent by line breaks in a paste', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('Read.')] }])
    screen.type(`\u001b[200~${'rm -rf x\r'.repeat(20)}\u001b[201~`)
    await screen.until(/› \[pasted 20 lines · 180 bytes\]/)
    screen.type('\r')
    await screen.until(/Read\./)
    expect((await world.sessions()).map(outline)).toEqual([
      [`user: ${'rm -rf x\n'.repeat(20)}`, 'assistant: Read.'],
    ])
  })
})

describe('untrusted text', () => {
  const hostile = [
    '\u001b]0;root@prod\u0007',
    '\u001b]8;;https://evil.example\u001b\\docs\u001b]8;;\u001b\\',
    '\u001b[2J\u001b[H',
    'safe text\rEVIL',
    '\u009b2J and \u009d0;x\u009c',
    '\u001b]52;c;ZWNobyBoaQ==\u0007',
    'user\u202egnp.exe',
    '\u001b]0;unterminated text',
  ].join(' ~ ')
  const commands = ['\u001b]', '\u001b[H', '\u009b', '\u009d', '\rEVIL', '\u202e', '\u001b[2J']

  it('reaches the terminal without control sequences: in replies, tool output and questions', async () => {
    const world = await openWorld()
    await world.put('h', `${hostile}\n`)
    const screen = await play(world, { columns: 160, rows: 40 }, [
      { blocks: [text(hostile), call('bash', { command: `cat h; false # ${hostile}` })] },
      { blocks: [{ type: 'thinking', thinking: hostile }, text('Seen.')] },
    ])
    const before = screen.raw().length
    screen.type('look\r')
    await screen.until(/Run this command[\s\S]*unterminated\s+text[\s\S]*❯ n/)
    screen.type('y')
    await screen.until(/Seen\.\n\n─+\n›/)
    // The title, and the question for the background, are pipe's own.
    const written = screen
      .raw()
      .slice(before)
      .replaceAll(/\p{Cc}\](?:0;[\w✳? ·]*|11;\?)\p{Cc}\\/gu, '')
    expect(commands.filter((one) => written.includes(one))).toEqual([])
    expect(screen.text().match(/unterminated/g)?.length).toBeGreaterThanOrEqual(3)
  })
})

describe('commands', () => {
  it('show help, reject unknown names, start a new conversation and resume one', async () => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('First answer.')] }])
    screen.type('/hepl\r')
    await screen.until(/unknown command \/hepl: did you mean \/help\?/)
    screen.type('\u0015/help\r')
    await screen.until(/^Commands\n {2}\/help/m)
    screen.type('/exit\r')
    await screen.until(/^Commands\n {2}\/quit, \/exit/m)
    screen.type('q')
    await screen.until(/^›/m)
    screen.type('one\r')
    await screen.until(/First answer\./)
    screen.type('/clear\r')
    await screen.until(/First answer\.\n\npipe [^\n]*\n\n {2}a new conversation\n/)
    screen.type('/resume\r')
    await screen.until(/❯ one /)
    screen.type('\r')
    await screen.until(/First answer\.[\s\S]*First answer\.\n\n─+\n›/)
    screen.type('/quit\r')
    expect(await screen.ended).toBe(0)
  })

  it('summarise the history, and mark the summary when the conversation is resumed', async () => {
    const world = await openWorld()
    world.server.reply(
      say('Long words. '.repeat(99)),
      say('Second answer.'),
      say('It was long.'),
      say('Third answer.'),
    )
    const screen = await openPrompt(world, medium)
    for (const [prompt, answer] of [
      ['one', 'words'],
      ['two', 'Second answer'],
    ]) {
      screen.type(`${prompt}\r`)
      await screen.until(new RegExp(`${answer}\\.\\n\\n─+\\n› Ask [^\\n]*\\n─+\\nask`))
    }
    screen.type('/compact keep words\r')
    await screen.until(/\n {2}context summarised: [\d.k]+ → [\d.k]+ tokens\n\n─+\n› Ask [^\n]*\n─+\nask/)
    screen.type('/context\r')
    await screen.until(/█ summary +\d+\n[\s\S]*Sizes by kind are estimates\./)
    screen.type('q')
    await screen.until(/^› Ask /m)
    screen.type('three\r')
    await screen.until(/▌ three\n\n {2}Third answer\.\n\n─+\n› Ask [^\n]*\n─+\nask/)
    screen.type('\u0004')
    await screen.ended
    const again = await openPrompt(world, medium, 'exec pipe -c')
    await again.until(/ {2}the conversation above was summarised\n\n▌ three\n\n {2}Third answer\.\n\n─+\n›/)
  })

  it('mark a message that was stopped before its answer when the conversation is resumed', async () => {
    const world = await openWorld()
    const gate = deferred()
    onTestFinished(() => gate.resolve())
    world.server.reply((_, response) => gate.promise.then(() => void response.end()))
    const screen = await openPrompt(world, medium)
    screen.type('one\r')
    await expect.poll(() => world.server.requests.length).toBe(1)
    screen.type('\u001b')
    await screen.until(/– interrupted after/)
    screen.type('\u0004')
    await screen.ended
    const again = await openPrompt(world, medium, 'exec pipe -c')
    await again.until(/^▌ one\n\n {2}– no answer\n\n─+\n›/m)
  })

  it('change the mode and the model of the conversation', async () => {
    const world = await openWorld()
    const write = call('write', { path: 'a.txt', content: 'a' })
    const rounds = [{ blocks: [write] }, { blocks: [text('It may not.')] }]
    const other = { version: 1, rounds: [...rounds, { blocks: [text('I am the other.')] }] }
    await world.put('other.json', JSON.stringify(other))
    const screen = await play(world, medium, rounds)
    screen.type('/mode plan\r')
    await screen.until(/^plan · script\.json/m)
    screen.type('write a.txt\r')
    await screen.until(/plan mode only reads[\s\S]*It may not\./)
    screen.type('/model nobody/x\r')
    await screen.until(/unknown provider nobody/)
    screen.type('\u0015/model replay/other.json\r')
    await screen.until(/^plan · other\.json/m)
    screen.type('who is there?\r')
    await screen.until(/I am the other\./)
  })
})

describe('kill -INT', () => {
  it('stops a turn, as Esc does, and shows how to quit at an idle prompt', async () => {
    const world = await openWorld()
    const rounds = [{ blocks: [text('word '.repeat(500))], pace_ms: 10 }]
    const screen = await play(world, medium, rounds, 'echo $$ > pid; exec pipe')
    const kill = () => process.kill(Number(readFileSync(join(world.cwd, 'pid'), 'utf8')), 'SIGINT')
    screen.type('talk\r')
    await screen.until(/word/)
    screen.type('a draft')
    await screen.until(/› a draft/)
    kill()
    await screen.until(/interrupted after[^\n]*\n\n─+\n› a draft/)
    screen.type('\u0003')
    await screen.until(/interrupted after[^\n]*\n\n─+\n› Ask for more/)
    kill()
    // The screen shows it for one second only.
    await expect.poll(screen.raw).toContain('press Ctrl+C again to quit')
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })
})

describe('an end by any means', () => {
  /** Prints the exit code and the terminal settings after pipe has ended. */
  const line = 'sh -c \'echo $$ > pid; exec pipe\'; echo "ended $?"; stty -a'

  it.each<[string, number, (screen: ScreenRun, pid: number) => void]>([
    ['Ctrl+D', 0, (screen) => screen.type('\u0004')],
    ['Ctrl+C twice', 0, (screen) => screen.type('\u0003\u0003')],
    ['SIGTERM', 143, (_, pid) => process.kill(pid, 'SIGTERM')],
    ['SIGHUP', 129, (_, pid) => process.kill(pid, 'SIGHUP')],
    ['SIGQUIT', 131, (_, pid) => process.kill(pid, 'SIGQUIT')],
  ])('%s restores the terminal', async (_, code, end) => {
    const world = await openWorld()
    const screen = await play(world, medium, [{ blocks: [text('word '.repeat(500))], pace_ms: 10 }], line)
    screen.type('talk\r')
    await screen.until(/word/)
    screen.type('\u001b')
    await screen.until(/interrupted/)
    end(screen, Number(readFileSync(join(world.cwd, 'pid'), 'utf8')))
    await screen.ended
    await screen.until(new RegExp(`pipe: resume with: pipe -r \\S+ · \\d+ s\nended ${code}\n`))
    await screen.until(/ icanon [\s\S]* echo /)
    const last = (on: string, off: string) => screen.raw().lastIndexOf(off) > screen.raw().lastIndexOf(on)
    expect([last('\u001b[?2004h', '\u001b[?2004l'), last('\u001b[?25l', '\u001b[?25h')]).toEqual([true, true])
  })
})
