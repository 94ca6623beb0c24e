import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { openPrompt, openScreen, play } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

const size = { columns: 80, rows: 24 }

const says = (words: string) => ({ blocks: [{ type: 'text', text: words }] })
const rounds = [says('First answer.'), says('Second answer.'), says('Third answer.')]

/** Saves a session for each prompt. */
async function openWithSessions(...prompts: readonly string[]): Promise<World> {
  const world = await openWorld()
  await world.put('script.json', JSON.stringify({ version: 1, rounds }))
  for (const prompt of prompts) await world.pipe(['-m', 'replay/script.json', prompt])
  return world
}

quickDescribe('going back in the terminal UI', () => {
  it('Esc Esc goes back to a message, and /tree to the branch that was left', async () => {
    const world = await openWorld()
    const screen = await play(world, size, rounds)
    const type = async (keys: string, shown: RegExp) => {
      screen.type(keys)
      await screen.until(shown)
    }
    await type('say one\r', /First answer\.\n\n─+\n›/)
    await type('say two\r', /Second answer\.\n\n─+\n›/)
    await type('\u001b\u001b', /before which message\?\n›\n❯ say two +now\n {2}say one +now\n/)
    await type('\r', /Go back to before "say two"\n›\n❯ conversation only\n/)
    await type('\r', /First answer\.\n\n {2}went back to before "say two"; [^\n]+\n\n─+\n› say two\n/)
    await type(', no, three\r', /▌ say two, no, three\n\n {2}Second answer\.\n\n─+\n› Ask for more/)
    await type('/tree\r', /❯ ● {5}Second answer\. +now\n/)
    await type('Second', / {2}○ {3}Second answer\. +now\n❯ ● {5}Second answer\. +now\n/)
    await type(
      '\u001b[A\r\r',
      /▌ say two\n\n {2}Second answer\.\n\n {2}went to after "Second answer\."; [^\n]+\n\n─+\n› Ask for more/,
    )
    await type('/tree\r', /❯ ● {3}Second answer\. +now\n {2}○ {3}> say two, no, three +now\n/)
    await type('\u001b', /was left stays: \/tree\n\n─+\n› Ask for more/)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect((await world.sessions()).map(outline)).toEqual([
      [
        ...['user: say one', 'assistant: First answer.', 'user: say two', 'assistant: Second answer.'],
        ...['user: say two, no, three', 'assistant: Second answer.'],
      ],
    ])
  })
})

describe('the files of a conversation that goes back', () => {
  /** Two turns that change a file, with this file before them. */
  async function changedTwice() {
    const world = await openWorld()
    await world.put('a.txt', 'zero')
    const change = (words: string) => use(['bash', { command: `echo ${words} > a.txt` }])
    world.server.reply(change('one'), say('Once.'), change('two'), say('Twice.'), say('Back.'))
    const screen = await openPrompt(world, size, 'exec pipe --yolo')
    screen.type('change it\r')
    await screen.until(/Once\.\n\n─+\n›/)
    screen.type('change it again\r')
    // The status line of a running turn begins with its time.
    await screen.until(/Twice\.\n\n─+\n› Ask [^\n]*\n─+\nbypass/)
    return { world, screen, file: () => readFileSync(join(world.cwd, 'a.txt'), 'utf8') }
  }

  it('stay if only the conversation goes back, and the model is told', async () => {
    const { world, screen, file } = await changedTwice()
    screen.type('/rewind\r')
    await screen.until(/❯ change it again/)
    screen.type('\r')
    await screen.until(/❯ conversation and files/)
    screen.type('\u001b[B\r')
    await screen.until(/went back to before "change it again"; [^\n]+\n\n─+\n› change it again\n/)
    expect(file()).toBe('two\n')
    screen.type('\r')
    await screen.until(/Back\.\n\n─+\n›/)
    expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain('read them again before you rely on')
  })

  slowIt('go back with it, over several turns, and the model hears nothing of them', async () => {
    const { world, screen, file } = await changedTwice()
    screen.type('/rewind\r')
    await screen.until(/❯ change it again .*files\n {2}change it .*files/)
    screen.type('\u001b[B\r')
    await screen.until(/❯ conversation and files +changed by 2 turns\n/)
    screen.type('\r')
    await screen.until(/undid: change it again\n[\s\S]*undid: change it\n[\s\S]*\n› change it\n/)
    expect(file()).toBe('zero')
    screen.type(' differently\r')
    await screen.until(/Back\.\n\n─+\n›/)
    const heard = JSON.stringify(world.server.requests.at(-1)?.body)
    expect(heard).toContain('change it differently')
    expect(heard).not.toMatch(/undid|Twice|stayed|later turns/)
  })

  slowIt('that were changed since stay, and the conversation goes back all the same', async () => {
    const { world, screen, file } = await changedTwice()
    // A turn ends by saving its files, and the next one waits for that. A change before it would belong to the turn.
    screen.type('wait\r')
    await screen.until(/Back\.\n\n─+\n› Ask [^\n]*\n─+\nbypass/)
    await world.put('a.txt', 'mine')
    screen.type('/rewind\r')
    await screen.until(/❯ wait/)
    screen.type('\u001b[B\r')
    await screen.until(/❯ conversation and files/)
    screen.type('\r')
    await screen.until(/not all files could be restored: [\s\S]*\n› change it again\n/)
    expect(file()).toBe('mine')
  })
})

quickDescribe('-r without an id', () => {
  it('lets the user search and choose a session, without a model', async () => {
    const world = await openWithSessions('fix the parser', 'explain the printer')
    const screen = openScreen(world, 'exec pipe -r -m replay/script.json', size)
    await screen.until(/conversation\?\n›\n❯ explain the printer +now[^\n]*\n {2}fix the parser +now/)
    screen.type('PARS')
    await screen.until(/1 of 2 sessions\n› PARS\n❯ fix the parser/)
    screen.type('\r')
    await screen.until(/^pipe [^\n]*\n\n▌ fix the parser\n\n {2}First answer\.\n\n─+\n› Ask for more/m)
    screen.type('go on\r')
    await screen.until(/▌ go on\n\n {2}Second answer\.\n\n─+\n›/)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect((await world.sessions()).map((session) => outline(session).length)).toEqual([4, 2])
  })

  it('ends with 130 on Esc and leaves the terminal as it was; without a session it says so', async () => {
    const world = await openWithSessions('fix the parser')
    await world.configure({ model: 'nobody/nothing' })
    const left = openScreen(world, 'stty -g > before; pipe -r; code=$?; stty -g > after; exit $code', size)
    await left.until(/❯ fix the parser/)
    left.type('\u001b')
    expect(await left.ended).toBe(130)
    expectRun(await world.shell('cmp before after'), { stdout: '' })
    const empty = openScreen(world, 'mkdir e; cd e; exec pipe -r', size)
    expect(await empty.ended).toBe(42)
    expect(empty.text()).toMatch(/^pipe: no earlier session in \S+\/e; start one with: pipe\s+"prompt"$/)
  })
})

quickDescribe.skipIf(!hasTerminal)('a plain terminal', () => {
  it('numbers sessions and messages to choose from', async () => {
    const world = await openWithSessions('fix the parser', 'explain the printer')
    const terminal = await openTerminal(world, 'TERM=dumb pipe -r -m replay/script.json')
    await terminal.until(/^ 1 .* explain the printer\n 2 .* fix the parser\nContinue which\? \(Enter: 1\)$/)
    const type = async (line: string, answer: RegExp) => {
      await terminal.line(line)
      await terminal.until(answer)
    }
    await type('3', /Type a number from 1 to 2, or Ctrl\+D to leave:$/)
    await type('2', /\npipe replay[^\n]*\n>$/)
    await type('go on', /Second answer\.\n>$/)
    await type('/rewind', /1 +fix the parser\n +2 +go on\n\/rewind N goes back [\s\S]*\n>$/)
    await type('/rewind 2', /went back to before "go on"; the branch that was left stays: \/tree\n> go on$/)
    await type(', please', /> go on, please\nSecond answer\.\n>$/)
    await type('/tree', /○ > go on\n +4 +○ +Second answer\.\n +5 +● +> go on, please\n[\s\S]*\n>$/)
    await type('/resume', / 1 .* explain the printer\n\/resume N [^\n]*\n>$/)
    await type('/resume 1', /\/resume 1\npipe replay[^\n]*\n>$/)
    await type('/quit', /ended 0$/)
  })
})
