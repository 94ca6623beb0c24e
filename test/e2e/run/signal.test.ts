import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { cutOff, outline } from '../../support/sessions/session-file.ts'
import { quickIt as it, quickDescribe, slowDescribe, slowIt } from '../../support/thorough.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
] as const

/** A reply that hangs after its first deltas. */
const halfReply = {
  sse: replyEvents([{ type: 'text', text: 'Once upon a time there was a pipe' }])
    .slice(0, 3)
    .join(''),
  ending: 'hang',
} as const

/** Whether a process runs. A zombie does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The process ids that a command wrote to the file `pids`. */
async function readPids(cwd: string): Promise<readonly number[]> {
  return (await readFile(join(cwd, 'pids'), 'utf8')).trim().split('\n').map(Number)
}

quickDescribe.each(signals)('%s', (signal, code) => {
  it('saves the partial reply, closes the connection and prints no answer', async () => {
    const { start, server, sessions } = await openWorld()
    server.reply(halfReply)
    const run = start(['-o', 'stream-json', 'tell a story'])
    await run.until(/"text_delta"[^\n]*time t/)
    run.kill(signal)
    expectRun(await run.ended, { code, stdout: expect.stringContaining(`"exit_code":${code}`) })
    expect(await server.requests[0]?.closed).toBe(true)
    expect((await sessions()).map(outline)).toEqual([
      ['user: tell a story', expect.stringMatching(/^assistant: Once upon.* \[aborted\]$/)],
    ])
  })

  it('prints an error object with -o json during a reply', async () => {
    const { start, server } = await openWorld()
    server.reply(halfReply)
    const run = start(['-o', 'json', 'tell a story'])
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1)
    run.kill(signal)
    const ended = await run.ended
    expectRun(ended, { code, stdout: expect.stringMatching(/^\{.*\}\n$/) })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      is_error: true,
      exit_code: code,
      error: { code: 'aborted', message: `ended by ${signal}` },
    })
  })

  it('ends the processes of a running tool, and saves a result for its call', async () => {
    const { start, server, sessions, cwd } = await openWorld()
    const command = 'echo $$ >> pids; sleep 600 & echo $! >> pids; echo ready; wait'
    server.reply(use(['bash', { command }]))
    const run = start(['--yolo', '-o', 'stream-json', 'wait'])
    await run.until(/"tool_output"[^\n]*ready/)
    run.kill(signal)
    expectRun(await run.ended, { code, stdout: expect.any(String) })
    const pids = await readPids(cwd)
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
    expect((await sessions()).map(outline)).toEqual([['user: wait', 'assistant: bash [tool_use]', cutOff]])
  })

  it('ends the read of stdin without a session or a request', async () => {
    const { start, sessions, server } = await openWorld()
    const run = start(['summarise'], { input: 'open' })
    await run.write('more than a pipe holds\n'.repeat(50_000))
    run.kill(signal)
    expectRun(await run.ended, { code, stdout: '' })
    expect(await sessions()).toEqual([])
    expect(server.requests).toEqual([])
  })
})

quickDescribe('a signal ignored from the start', () => {
  it.each([
    ['by nohup', 'nohup pipe hi 2>/dev/null', 'HUP'],
    ['by a trap', 'sh -c \'trap "" HUP INT; exec pipe hi\'', 'HUP INT'],
    ['by a shell that runs it in the background', 'pipe hi', 'INT QUIT'],
  ])('%s stays ignored', async (_, command, names) => {
    const { shell, server, put, cwd } = await openWorld()
    server.reply(async (_request, response) => {
      await put('asked', '')
      await expect.poll(() => existsSync(join(cwd, 'told')), { timeout: 10_000 }).toBe(true)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents([{ type: 'text', text: 'Still here.' }]).join(''))
    })
    const asked = 'until test -e asked; do read -rt 0.05 <> <(:); done'
    const tell = `for name in ${names}; do kill -$name $pid; done; touch told`
    expectRun(await shell(`${command} & pid=$!; ${asked}; ${tell}; wait $pid`), { stdout: 'Still here.\n' })
  })
})

quickDescribe('an interrupted conversation', () => {
  it('continues with the partial reply', async () => {
    const { start, pipe, server, sessions } = await openWorld()
    server.reply(halfReply)
    const run = start(['-o', 'stream-json', 'tell a story'])
    await run.until(/"text_delta"[^\n]*time t/)
    run.kill('SIGINT')
    await run.ended
    server.reply(say('The end.'))
    expectRun(await pipe(['-c', 'and then?']), { stdout: 'The end.\n' })
    expect(server.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
    expect((await sessions()).map((session) => outline(session).length)).toEqual([4])
  })

  it('ends the wait for a retry at once', async () => {
    const { start, server } = await openWorld()
    server.reply({ status: 503, headers: { 'retry-after': '50' }, body: '{"error":{"message":"soon"}}' })
    const run = start(['-o', 'stream-json', 'hi'])
    await run.until(/"retry"[^\n]*"wait_ms":50000/)
    run.kill('SIGINT')
    expectRun(await run.ended, { code: 130, stdout: expect.stringContaining('"stop_reason":"aborted"') })
  })
})

slowDescribe('a child that ignores SIGTERM', () => {
  slowIt('does not delay the exit on SIGHUP, and is ended soon after', async () => {
    const { start, server, cwd, sessions } = await openWorld()
    const command = `bash -c 'trap "" TERM HUP; echo $$ > pids; echo ready; while :; do sleep 600; done'`
    server.reply(use(['bash', { command }]))
    const run = start(['--yolo', '-o', 'stream-json', 'wait'])
    await run.until(/"tool_output"[^\n]*ready/)
    run.kill('SIGHUP')
    expectRun(await run.ended, { code: 129, stdout: expect.any(String) })
    const [pid = 0] = await readPids(cwd)
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect((await sessions()).map(outline)).toEqual([
      ['user: wait', expect.any(String), expect.stringMatching(/interrupted/)],
    ])
  })

  slowIt('is ended by the time that SIGTERM has ended the run', async () => {
    const { start, server, cwd } = await openWorld()
    const command = `bash -c 'trap "" TERM; echo $$ > pids; echo ready; while :; do sleep 600; done'`
    server.reply(use(['bash', { command }]))
    const run = start(['--yolo', '-o', 'stream-json', 'wait'])
    await run.until(/"tool_output"[^\n]*ready/)
    run.kill('SIGTERM')
    expectRun(await run.ended, { code: 143, stdout: expect.any(String) })
    const pids = await readPids(cwd)
    expect(pids).toHaveLength(1)
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
  })
})
