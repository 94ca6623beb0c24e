import { describe, it } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const looks: FakeReply = { blocks: [{ type: 'tool_call', name: 'glob', arguments: { pattern: '*' } }] }
const nothing: FakeReply = { sse: 'data: [DONE]\n\n' }
const says = (text: string, finishReason = 'stop'): FakeReply => ({
  blocks: [{ type: 'text', text }],
  finishReason,
})

/** Runs one prompt against these replies. */
async function run(...replies: readonly FakeReply[]) {
  const { pipe, server } = await openWorld()
  server.reply(...replies)
  return pipe(['hello'])
}

describe('a reply that only looks whole', () => {
  it('is asked for once more if it is empty, and fails if it stays so', async () => {
    expectRun(await run(looks, nothing, says('Done.')), { stdout: 'Done.\n' })
    expectRun(await run(looks, nothing, nothing), { code: 51, stdout: '', stderr: complaint(/said nothing/) })
  })

  it('is explained if the model had nothing to say', async () => {
    expectRun(await run(looks, { blocks: [], finishReason: 'stop' }), {
      stdout: '',
      stderr: complaint('the model finished without an answer'),
    })
  })

  it('is told apart from the thinking in it', async () => {
    expectRun(await run(says('Hm.\n</think>\n\nIt is 4.')), {
      stdout: 'It is 4.\n',
      stderr: complaint(/providers\.fake\.quirks\.think_tags "closing"/),
    })
  })

  it('is named if its finish word is unknown', async () => {
    expectRun(await run(says('All.', 'sleepy')), {
      stdout: 'All.\n',
      stderr: complaint(/the reason "sleepy"/),
    })
  })

  it.each([
    ['sensitive', 46],
    ['context_length_exceeded', 48],
  ])('ends with %s as exit %i', async (word, code) => {
    expectRun(await run(says('Half', word)), { code, stdout: 'Half\n', stderr: complaint(/./) })
  })
})
