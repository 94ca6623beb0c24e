import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { outlineRequest, unfinished } from '../../support/models/replies.ts'
import { isAlive, untilGone } from '../../support/programs/processes.ts'
import type { Running } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt, type ScreenRun } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** Timeout of a test in ms: `survivors` waits for processes that do not end. */
const timeout = 60_000

/** Writes down its pid and waits for a child of its own kind, as npx does. The last one ends with its stdin or ignores SIGTERM. */
const wrapper = `
const [, self, notes, depth, kind] = process.argv
require('node:fs').appendFileSync(notes, process.pid + '\\n')
const inner = [self, notes, depth - 1, kind]
if (depth > 1) require('node:child_process').spawn(process.execPath, inner, { stdio: 'inherit' })
else if (kind === 'listens') process.stdin.resume()
else {
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 1_000)
}
`

/** Two background shells, each waiting for a node that waits for a node: six processes. */
const commands = (notes: string) =>
  ['listens', 'is-deaf'].map((kind) => ({
    type: 'tool_call' as const,
    name: 'bash',
    arguments: {
      command: `echo $$ >> ${notes}; node wrapper.cjs ${notes} 2 ${kind}; true`,
      background: true,
    },
  }))

/** The pids in such a file. */
function noted({ cwd }: World, notes: string): readonly number[] {
  const file = join(cwd, notes)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

/** Waits for these processes to end. Kills and returns those that do not. */
async function survivors(pids: readonly number[]): Promise<readonly number[]> {
  await untilGone(...pids).catch(() => undefined)
  const left = pids.filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  return left
}

/** A world whose model starts the commands on `start NOTES` and replies once all run. For `stays…` it never ends. */
async function openWrapped(): Promise<World> {
  const world = await openWorld()
  await world.put('wrapper.cjs', wrapper)
  const model: FakeReply = async ({ body }, response) => {
    const [, notes = ''] = /start (\S+)$/.exec(outlineRequest(body)[1] ?? '') ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (body.messages.length === 2) {
      response.end(replyEvents(commands(notes)).join(''))
      return
    }
    await expect.poll(() => noted(world, notes).filter(isAlive).length).toBe(6)
    const word = { type: 'text', text: 'They run. That is all.' } as const
    if (notes.startsWith('stays')) response.write(unfinished(word))
    else response.end(replyEvents([word]).join(''))
  }
  world.server.reply(...Array.from({ length: 10 }, () => model))
  return world
}

it('PROC-350: no wrapped background command survives the end of the terminal UI', {
  timeout,
}, async () => {
  const world = await openWrapped()
  const ways: readonly (readonly [string, number, (screen: ScreenRun, pid: number) => void])[] = [
    ['Ctrl+D', 0, (screen) => screen.type('\u0004')],
    ['quit', 0, (screen) => screen.type('/quit\r')],
    ['SIGTERM', 143, (_, pid) => process.kill(pid, 'SIGTERM')],
    ['SIGHUP', 129, (_, pid) => process.kill(pid, 'SIGHUP')],
    ['SIGKILL', 137, (_, pid) => process.kill(pid, 'SIGKILL')],
  ]
  const ends = ways.map(async ([way, , end]) => {
    const line = `echo $$ > ${way}.pid; exec pipe --yolo`
    const screen = await openPrompt(world, { columns: 80, rows: 24 }, line)
    screen.type(`start ${way}\r`)
    await screen.until(/They run\. That is all\.\n\n─+\n›/)
    end(screen, Number(readFileSync(join(world.cwd, `${way}.pid`), 'utf8')))
    return [way, await screen.ended, await survivors(noted(world, way))]
  })
  expect(await Promise.all(ends)).toEqual(ways.map(([way, code]) => [way, code, []]))
})

it('PROC-350: no wrapped background command survives the end of a run', {
  timeout,
}, async () => {
  const world = await openWrapped()
  const ways: readonly (readonly [string, number | string, (run: Running) => void])[] = [
    ['the-end', 0, () => undefined],
    ['stays-SIGTERM', 143, (run) => run.kill('SIGTERM')],
    ['stays-SIGHUP', 129, (run) => run.kill('SIGHUP')],
    ['stays-SIGKILL', 'SIGKILL', (run) => run.kill('SIGKILL')],
  ]
  const ends = ways.map(async ([way, , end]) => {
    const run = world.start(['--yolo', '-o', 'stream-json', `start ${way}`])
    await run.until(/"text_delta"/)
    end(run)
    const { code, signal } = await run.ended
    return [way, code ?? signal, await survivors(noted(world, way))]
  })
  expect(await Promise.all(ends)).toEqual(ways.map(([way, code]) => [way, code, []]))
})
