import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt, type ScreenSize } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
const down = '\u001b[B'

const database = { question: 'Which database?', kind: 'select', options: ['Postgres', 'SQLite'] }
const sure = { question: 'Sure?', kind: 'confirm', default: 'yes' }
const name = { question: 'Name?', kind: 'input' }

/** A world whose model asks these questions. */
async function openAsking(...questions: readonly JsonObject[]): Promise<World> {
  const world = await openWorld()
  world.server.reply(use(['ask', { questions }]), say('I see.'))
  return world
}

/** Returns the last text of each later request. */
const told = ({ server }: World) => server.requests.slice(1).map(({ body }) => lastText(body))

describe('questions in the terminal UI', () => {
  it('answers one question with the arrow keys', async () => {
    const world = await openAsking(database)
    const screen = await openPrompt(world, medium)
    screen.type('set it up\r')
    await screen.until(
      /━ Which database\? ━+\n\n ❯ 1 {2}Postgres\n {3}2 {2}SQLite\n {3}w {2}Another answer\n/,
    )
    screen.type(down)
    await screen.until(/❯ 2/)
    screen.type('\r')
    await screen.until(/● ask.*\n {12}Which database\? → SQLite\n\n {2}I see\.\n\n─+\n›/)
    expect(told(world)).toEqual(['tool: Which database? → SQLite'])
  })

  it('asks several questions one after the other', async () => {
    const world = await openAsking(database, sure, name)
    const screen = await openPrompt(world, medium)
    screen.type('set it up\r')
    await screen.until(/━ 1\/3 Which database\? ━+\n\n ❯/)
    screen.type('w')
    await screen.until(/Which database\? ━+\n›/)
    screen.type('MySQL\r')
    await screen.until(/━ 2\/3 Sure\? ━+\n\n ❯ y {2}Yes/)
    screen.type('\r')
    await screen.until(/━ 3\/3 Name\? ━+\n›/)
    screen.type('Ann\r')
    await screen.until(/I see\./)
    expect(told(world)).toEqual(['tool: Which database? → MySQL\nSure? → Yes\nName? → Ann'])
  })

  it('Ctrl+D skips the question and continues the turn; Esc ends the turn', async () => {
    const world = await openAsking(name)
    world.server.reply(use(['ask', { questions: [name] }]))
    const screen = await openPrompt(world, medium)
    screen.type('go\r')
    await screen.until(/━ Name\? ━+\n›/)
    screen.type('\u0004')
    await screen.until(/I see\./)
    expect(told(world)).toEqual([
      'tool: the user did not answer: decide yourself, or end and say what you need to know',
    ])
    screen.type('go on\r')
    await screen.until(/I see\.[\s\S]*━ Name\? ━/)
    screen.type('\u001b')
    await screen.until(/interrupted after[^\n]*\n\n─+\n›/)
  })
})

describe.skipIf(!hasTerminal)('questions on the controlling terminal', () => {
  it('appear there while stdout is a pipe', async () => {
    const world = await openAsking(database, sure, name)
    const terminal = await openTerminal(world, 'pipe "set it up" | cat > answer')
    await terminal.until(
      /1\/3 Which database\?\n {2}1 Postgres\n {2}2 SQLite\n {2}or type another answer\n>$/,
    )
    await terminal.line('2')
    await terminal.until(/2\/3 Sure\? \[Y\/n\]$/)
    await terminal.line('perhaps')
    await terminal.until(/answer yes or no\n>$/)
    await terminal.line('n')
    await terminal.until(/3\/3 Name\?\n>$/)
    await terminal.line('Ann')
    await terminal.until(/ended 0$/)
    expect(readFileSync(join(world.cwd, 'answer'), 'utf8')).toBe('I see.\n')
    expect(told(world)).toEqual(['tool: Which database? → SQLite\nSure? → No\nName? → Ann'])
  })
})

describe('questions without a terminal', () => {
  it('are not possible: the tool is not offered to the model', async () => {
    const world = await openAsking(name)
    expectRun(await world.pipe(['go']), { stdout: 'I see.\n' })
    const [request] = world.server.requests
    expect(request?.body.tools?.map((tool) => tool.function.name)).not.toContain('ask')
    expect(told(world)).toEqual([expect.stringMatching(/^tool: there is no tool ask; the tools are: read, /)])
  })
})
