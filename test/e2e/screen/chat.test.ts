import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { cutOff, outline } from '../../support/sessions/session-file.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

describe.skipIf(!hasTerminal)('a conversation on a terminal', () => {
  it('answers line by line, and Ctrl+D leaves with a hint on how to resume', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello Ann.'), say('You are Ann.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/^pipe fake\/model-1 · Ctrl\+C stops, Ctrl\+D leaves\n>$/)
    await terminal.line('I am Ann')
    await terminal.until(/> I am Ann\nHello Ann\.\n>$/)
    await terminal.line('who am I?')
    await terminal.until(/> who am I\?\nYou are Ann\.\n>$/)
    await terminal.key('C-d')
    const [session] = await world.sessions()
    await terminal.until(new RegExp(`pipe: resume with: pipe -r ${session?.id} · \\d+ s\nended 0$`))
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: I am Ann', 'assistant: Hello Ann.', 'user: who am I?', 'assistant: You are Ann.'],
    ])
  })

  it('counts the files that it changed as it ends', async () => {
    const world = await openWorld()
    world.server.reply(
      use(['write', { path: 'a.txt', content: 'a' }], ['write', { path: 'b.txt', content: 'b' }]),
      say('Written.'),
    )
    const terminal = await openTerminal(world, 'TERM=dumb pipe --yolo')
    await terminal.until(/>$/)
    await terminal.line('write them')
    await terminal.until(/Written\.\n>$/)
    await terminal.key('C-d')
    await terminal.until(/pipe: resume with: pipe -r \S+ · \d+ s · 2 files changed\nended 0$/)
  })

  it('counts no file as changed of a turn that was undone, whoever had a word in it', async () => {
    const world = await openWorld()
    const write = (path: string) => use(['write', { path, content: path }])
    world.server.reply(write('a.txt'), say('Done?'), write('b.txt'), say('Written.'))
    const command = 'test -e asked || { touch asked; echo go on >&2; exit 2; }'
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] }
    await world.put('hooks.json', JSON.stringify({ hooks }))
    const terminal = await openTerminal(world, 'TERM=dumb pipe --yolo --settings hooks.json')
    await terminal.until(/>$/)
    await terminal.line('write it')
    await terminal.until(/Written\.\n>$/)
    await terminal.line('/undo')
    await terminal.until(/undid: write it\n {2}removed +a\.txt\n[\s\S]*b\.txt\n>$/)
    await terminal.key('C-d')
    await terminal.until(/pipe: resume with: pipe -r \S+ · \d+ s\nended 0$/)
  })

  it('begins with the prompt of -i, as if it had been typed', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello Ann.'), say('You are Ann.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe -i "I am Ann"')
    await terminal.until(/Hello Ann\.\n>$/)
    await terminal.line('who am I?')
    await terminal.until(/You are Ann\.\n>$/)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: I am Ann', 'assistant: Hello Ann.', 'user: who am I?', 'assistant: You are Ann.'],
    ])
  })

  it('asks before a change: "no" is reported to the model, "yes" runs the call', async () => {
    const world = await openWorld()
    const touch = (name: string) => use(['bash', { command: `touch ${name}` }])
    world.server.reply(touch('first'), say('Then not.'), touch('second'), say('Made.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('make it')
    await terminal.until(/Run this command\?\n[^?]*command: touch first\n.*1 Yes, once\n[\s\S]*> *$/)
    await terminal.line('n')
    await terminal.until(/Then not\.\n>$/)
    expect(existsSync(join(world.cwd, 'first'))).toBe(false)
    expect(world.server.requests.map(({ body }) => lastText(body))[1]).toBe(
      'tool: Permission denied: the user said no. The call was not carried out.',
    )
    await terminal.line('do make it')
    await terminal.until(/command: touch second\n[\s\S]*> *$/)
    await terminal.line('y')
    await terminal.until(/Made\.\n>$/)
    expect(existsSync(join(world.cwd, 'second'))).toBe(true)
  })

  it('runs slash commands and sends none to the model', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Made.'), say('A new one.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe --yolo')
    const type = async (line: string, answer: RegExp) => {
      await terminal.line(line)
      await terminal.until(answer)
    }
    await terminal.until(/>$/)
    await type('/help', /\/undo \[force\] .*\n[\s\S]*\/quit, \/exit +quit; Ctrl\+D too\n>$/)
    await type('/hepl', /pipe: unknown command \/hepl: did you mean \/help\?\n>$/)
    await type('/copy', /pipe: unknown command \/copy: .*\n>$/)
    await type('/elves', /pipe: unknown command \/elves: .*\n>$/)
    await type(
      '/export',
      /pipe: this conversation has no messages yet, so it cannot be exported: send one first\n>$/,
    )
    await type(
      '/fork',
      /pipe: this conversation has no messages yet, so it cannot be copied: send one first\n>$/,
    )
    await type('/zzzz', /pipe: unknown command \/zzzz: \/help lists them\n>$/)
    await type('/undo', /pipe: [^\n]+\n>$/)
    await type('make it', /Made\.\n>$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
    await type('/undo', /undid: make it\n {2}removed {6}made\n>$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
    await type('/redo', /redid: make it\n {2}restored {5}made\n>$/)
    await type('/model fake/model-2', /model: fake\/model-2\n>$/)
    await type('/model', /> \/model\nmodel: fake\/model-2\n>$/)
    await type('/mode plan', /mode: plan\n>$/)
    await type('/clear', /> \/clear\npipe fake\/model-1 · Ctrl\+C stops, Ctrl\+D leaves\n>$/)
    await type('/etc/hosts, what is it?', /A new one\.\n>$/)
    const newest = (await world.sessions()).at(-1)
    await type('/quit', new RegExp(`pipe: resume with: pipe -r ${newest?.id} · \\d+ s\nended 0$`))
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: make it', 'assistant: bash [tool_use]', 'tool_result: (no output)', 'assistant: Made.'],
      ['user: /etc/hosts, what is it?', 'assistant: A new one.'],
    ])
  })

  it('reports what is wrong with a line, and continues', async () => {
    const world = await openWorld()
    await world.put('a.bin', Uint8Array.of(0xff, 0))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('look at @a.bin')
    await terminal.until(/pipe: a\.bin is binary, [^\n]+\n[^\n]*>$/)
    await terminal.line('/exit')
    await terminal.until(/ended 0$/)
    expect(world.server.requests).toEqual([])
  })

  it('continues after Ctrl+C in the middle of a turn', async () => {
    const world = await openWorld()
    const sse = replyEvents([{ type: 'text', text: 'Once upon a time' }])
      .slice(0, 2)
      .join('')
    world.server.reply({ sse, ending: 'hang' }, say('Short.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('tell a long story')
    await terminal.until(/Once upon a?$/)
    await terminal.key('C-c')
    await terminal.until(/Once upon a?\npipe: interrupted\n>$/)
    expect(await world.server.requests[0]?.closed).toBe(true)
    await terminal.line('a short one')
    await terminal.until(/Short\.\n>$/)
    await terminal.key('C-c')
    await terminal.until(/ended 0$/)
    expect((await world.sessions()).map((session) => outline(session).length)).toEqual([4])
  })
})

describe.skipIf(!hasTerminal)('a line typed during a turn', () => {
  /** A conversation whose first reply calls a tool once `gate` resolves; the second ends once `end` resolves. */
  async function openTurn(...later: readonly ReturnType<typeof say>[]) {
    const world = await openWorld()
    const [gate, end] = [deferred(), deferred()]
    const read = { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } } as const
    world.server.reply(
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        await gate.promise
        response.end(replyEvents([{ type: 'text', text: 'I look.' }, read]).join(''))
      },
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        await end.promise
        response.end(replyEvents([{ type: 'text', text: 'Seen.' }]).join(''))
      },
      ...later,
    )
    await world.put('a.txt', 'a\n')
    const terminal = await openTerminal(world, "TERM=dumb sh -c 'echo $$ > pid; exec pipe'")
    await terminal.until(/>$/)
    await terminal.line('read it')
    await expect.poll(() => world.server.requests.length).toBe(1)
    const received = () => world.server.requests.map(({ body }) => lastText(body))
    return { world, terminal, gate, end, received }
  }

  it('steers the turn', async () => {
    const { terminal, gate, end, received } = await openTurn()
    await terminal.line('be brief')
    await terminal.until(/be brief$/)
    gate.resolve()
    await expect.poll(received).toEqual([expect.stringContaining('read it'), 'user: be brief'])
    end.resolve()
    await terminal.until(/Seen\.\n>$/)
  })

  it('starts the next turn if it comes too late', async () => {
    const { world, terminal, gate, end, received } = await openTurn(say('Brief.'))
    gate.resolve()
    await expect.poll(received).toHaveLength(2)
    await terminal.line('be brief')
    await terminal.until(/be brief$/)
    end.resolve()
    await terminal.until(/Brief\.\n>$/)
    expect(received().at(-1)).toBe('user: be brief')
    expect((await world.sessions()).map(outline)[0]?.slice(-3)).toEqual([
      'assistant: Seen.',
      'user: be brief',
      'assistant: Brief.',
    ])
  })

  it('returns to the input if the turn is interrupted before it is sent', async () => {
    const { terminal, gate, end, received } = await openTurn()
    gate.resolve()
    await expect.poll(received).toHaveLength(2)
    await terminal.line('be brief')
    await terminal.until(/be brief$/)
    await terminal.key('C-c')
    await terminal.until(/pipe: interrupted\n> be brief$/)
    end.resolve()
    expect(received()).toHaveLength(2)
  })

  it('can be a command', async () => {
    const { world, terminal, gate, end } = await openTurn()
    await terminal.line('/mode plan')
    await terminal.until(/mode: plan$/)
    await terminal.line('/undo')
    await terminal.until(/a turn is running: stop it with Ctrl\+C first$/)
    await terminal.line('/hepl')
    await terminal.until(/did you mean \/help\?$/)
    gate.resolve()
    end.resolve()
    await terminal.until(/Seen\.\n>$/)
    expect(world.server.requests).toHaveLength(2)
  })

  it('leaves with /quit', async () => {
    const { world, terminal, end } = await openTurn()
    await terminal.line('/quit')
    await terminal.until(/pipe: interrupted\npipe: resume with: pipe -r \S+ · \d+ s\nended 0$/)
    end.resolve()
    expect(world.server.requests).toHaveLength(1)
  })

  it('can follow kill -INT, which stops only the turn', async () => {
    const { world, terminal, end, received } = await openTurn(say('Unused.'))
    await world.shell('kill -INT "$(cat pid)"')
    await terminal.until(/pipe: interrupted\n>$/)
    end.resolve()
    await terminal.line('again')
    await terminal.until(/Seen\.\n>$/)
    expect(received().at(-1)).toMatch(/again$/)
  })
})

describe.skipIf(!hasTerminal)('a permission question in line mode', () => {
  it('ignores a line begun before the question appeared', async () => {
    const world = await openWorld()
    const gate = deferred()
    world.server.reply(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      await gate.promise
      const made = { type: 'tool_call', name: 'bash', arguments: { command: 'touch made' } } as const
      response.end(replyEvents([made]).join(''))
    }, say('Done.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('make it')
    await expect.poll(() => world.server.requests.length).toBe(1)
    await terminal.type('y')
    await terminal.until(/y$/)
    gate.resolve()
    await terminal.until(/type what to do instead\n>/)
    await terminal.line('')
    await terminal.until(/it is not an answer[^\n]*\n> *$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
    await terminal.line('y')
    await terminal.until(/Done\.\n>$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
  })
})

describe.skipIf(!hasTerminal)('Ctrl+C at a question', () => {
  it('stops the turn of a conversation without running the call', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('As you like.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('make it')
    await terminal.until(/touch made\n[\s\S]*type what to do instead\n> *$/)
    await terminal.key('C-c')
    await terminal.until(/pipe: interrupted\n>$/)
    await terminal.line('leave it')
    await terminal.until(/As you like\.\n>$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: make it', 'assistant: bash [tool_use]', cutOff, 'user: leave it', 'assistant: As you like.'],
    ])
  })

  it('ends a one-shot run', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]))
    const terminal = await openTerminal(world, 'pipe make it')
    await terminal.until(/touch made\n[\s\S]*type what to do instead\n> *$/)
    await terminal.key('C-c')
    await terminal.until(/ended 130$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: make it', 'assistant: bash [tool_use]', cutOff],
    ])
  })
})

describe.skipIf(!hasTerminal)('a one-shot run on a terminal', () => {
  it('asks on the terminal while stdin and stdout are pipes', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Made.'))
    const terminal = await openTerminal(world, 'echo data | pipe "make it" | cat > answer')
    await terminal.until(/Run this command\?\n[\s\S]*touch made\n[\s\S]*> *$/)
    await terminal.line('y')
    await terminal.until(/ended 0$/)
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
    expect(readFileSync(join(world.cwd, 'answer'), 'utf8')).toBe('Made.\n')
  })

  it('streams every round, the tool calls and how to resume', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'a\n')
    const read = { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } } as const
    world.server.reply({ blocks: [{ type: 'text', text: 'I will look.' }, read] }, say('It says a.'))
    const terminal = await openTerminal(world, 'pipe what does a.txt say')
    await terminal.until(
      /^I will look\.\n• read a\.txt\n {2}✓ \d+ ms\nIt says a\.\npipe: resume with: pipe -r [\w-]+\nended 0$/,
    )
  })

  it('removes escape sequences that the model sent', async () => {
    const world = await openWorld()
    world.server.reply(say('\u001b[2Jred \u001b[31mtext\u0007'))
    const terminal = await openTerminal(world, 'pipe -q colour')
    await terminal.until(/^red text\nended 0$/)
  })
})

describe('a conversation with a screen reader', () => {
  it('is lines of words: no control sequence, numbered answers, and the end of each turn', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('It is made.'))
    const screen = openScreen(world, 'exec pipe --screen-reader', { columns: 80, rows: 24 })
    await screen.until(/leaves\n>$/)
    screen.type('go\n')
    await screen.until(
      /Working\.\nCall: bash touch made\n\nAsking: [\s\S]*touch made[\s\S]*\n {2}1 Yes[\s\S]*\n>$/,
    )
    screen.type('1\n')
    await screen.until(/> 1\nFinished after [^\n]*\nIt is made\.\nDone in \d+ s\.\n>$/)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect(screen.raw()).not.toContain('\u001b')
  })
})
