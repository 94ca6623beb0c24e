import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openScreen, type ScreenRun } from '../../support/terminals/screen.ts'

const size = { columns: 80, rows: 24 }
export const script = {
  version: 1,
  rounds: [
    { blocks: [{ type: 'tool_call', name: 'bash', arguments: { command: 'echo ran >> log.txt' } }] },
    { blocks: [{ type: 'text', text: 'It is logged.' }] },
  ],
}

/** A question that takes keys: on a full screen, or line by line. */
export const question = /Run this command\?[\s\S]*(❯ [yn]|\n>$)/

export const run = (world: World, line: string) => openScreen(world, line, size)

/** Starts pipe with a line of sh, and waits for its question. */
export async function asking(start: (world: World) => Promise<ScreenRun>) {
  const world = await openWorld()
  await world.put('script.json', JSON.stringify(script))
  await world.configure({ model: 'replay/script.json' })
  const screen = await start(world)
  await screen.until(question)
  return { world, screen }
}

/** Ends the process that holds the session. */
export function end({ home }: World, signal: NodeJS.Signals): void {
  const sessions = join(home, 'sessions')
  const [lock = ''] = readdirSync(sessions).filter((name) => name.endsWith('.lock'))
  const { pid }: { readonly pid: number } = JSON.parse(readFileSync(join(sessions, lock), 'utf8'))
  process.kill(pid, signal)
}

export async function inTerminalUi(world: World): Promise<ScreenRun> {
  const screen = run(world, 'pipe')
  await screen.until(/›/)
  screen.type('go\r')
  return screen
}

export const whole = [
  'user: go',
  'assistant: bash [tool_use]',
  'tool_result: (no output)',
  'assistant: It is logged.',
]
