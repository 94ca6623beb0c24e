import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { cutOff, outline } from '../../support/sessions/session-file.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** More than a pipe holds. */
const long = 'all work and no play\n'.repeat(4_000)

describe('PROC-344: a reader that closes the pipe', () => {
  it('ends the run silently with 141 and a saved session', async () => {
    const { shell, server, sessions } = await openWorld()
    server.reply(say(long))
    const run = await shell('set -o pipefail; pipe go | head -1')
    expectRun(run, { code: 141, stdout: 'all work and no play\n' })
    expect((await sessions()).map(outline)).toEqual([['user: go', `assistant: ${long}`]])
  })

  it('cancels the reply that is still streaming', async () => {
    const { shell, server, sessions } = await openWorld()
    const [drop] = replyEvents([{ type: 'text', text: 'drop' }])
    server.reply(async ({ closed }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const drip = setInterval(() => response.write(drop), 2)
      await closed
      clearInterval(drip)
    })
    const run = await shell('set -o pipefail; pipe -o stream-json go | grep -o -m1 text_delta')
    expectRun(run, { code: 141, stdout: 'text_delta\n' })
    expect(await server.requests[0]?.closed).toBe(true)
    expect((await sessions()).map(outline)).toEqual([
      ['user: go', expect.stringMatching(/^assistant: (drop)+ \[aborted\]$/)],
    ])
  })

  it('is noticed while a tool runs, and ends it', async () => {
    const { shell, server, sessions } = await openWorld()
    server.reply(use(['bash', { command: 'while echo tick; do :; done' }]))
    const run = await shell('set -o pipefail; pipe --yolo -o stream-json go | grep -o -m1 tool_output')
    expectRun(run, { code: 141, stdout: 'tool_output\n' })
    expect((await sessions()).map(outline)).toEqual([['user: go', 'assistant: bash [tool_use]', cutOff]])
  })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  it.each(['text', 'json', 'stream-json'])('is one line on stderr with -o %s', async (format) => {
    const { shell, server, sessions } = await openWorld()
    server.reply(say('Hello.'))
    expectRun(await shell(`pipe -o ${format} go > /dev/full`), {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^pipe: cannot write the output: ENOSPC: no space left on device, write\n$/,
      ),
    })
    expect((await sessions()).map(({ messages }) => messages[0]?.type)).toEqual(
      format === 'stream-json' ? [] : ['user'],
    )
  })
})
