import { describe, expect, it } from 'vitest'
import { withoutRefused } from '../../../src/agent/request/refused-media.ts'
import type { ContentBlock } from '../../../src/message.ts'
import type { ToolRun } from '../../../src/tool.ts'
import { calls, openAgent, play, says } from '../../support/conversations/agent.ts'
import { scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { png } from '../../support/messages/media.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, type Wire, wires } from '../../support/models/wires.ts'

type Reply = FakeReply<unknown>

const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: png().toString('base64') }
const data = image.data
const note = '(an image, which the server refused)'
const reason = 'Could not process image'

function refuses(message: string, status = 400): Reply {
  return { status, body: JSON.stringify({ error: { type: 'invalid_request_error', message } }) }
}

async function* shows(): ToolRun {
  yield { type: 'output', stream: 'stdout', chunk: 'shown' }
  return { content: [text('It shows:'), image], isError: false }
}

/** Opens a conversation with a server of these answers. A tool `look` shows the image. */
async function open(wire: Wire, ...replies: readonly Reply[]) {
  const { server, provider } = await openWire(wire, replies)
  const agent = openAgent({ provider, executor: scriptedTools({ look: { run: shows } }) })
  const say = (...blocks: readonly ContentBlock[]) =>
    play(agent, { message: { ...user(...blocks), id: messageId(40 + agent.saved.length) } })
  /** For each request, whether it held the image, and whether it held the note. */
  const sent = () =>
    server.requests.map((request) => {
      const body = JSON.stringify(request)
      return [body.includes(data) && 'image', body.includes(note) && 'note'].filter(Boolean).join(' and ')
    })
  return { agent, provider, say, sent }
}

const done: Reply = { blocks: [says('Done.')] }

describe.each(wires)('an image that a server of $dialect refuses', (wire) => {
  it('is replaced by a note in this turn and all later ones, and the person is told', async () => {
    const { say, sent } = await open(wire, refuses(reason), done, done)
    const { events, turn } = await say(text('look'), image)
    expect(turn.stopReason).toBe('end_turn')
    expect(events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))).toEqual([
      `${wire.dialect} refused the request (400): ${reason}; asking again without an image`,
    ])
    expect((await say(text('again'))).turn.stopReason).toBe('end_turn')
    expect(sent()).toEqual(['image', 'note', 'note'])
  })

  it('stays a note when the conversation is opened again, and is sent to another model', async () => {
    const first = await open(wire, refuses(reason), done)
    await first.say(text('look'), image)
    const { saved } = first.agent
    expect(saved[0]?.content).toContainEqual(image)
    const model = `${wire.dialect}/script`
    expect(withoutRefused(saved, model)[0]?.content).toEqual([text('look'), text(note)])
    expect(withoutRefused(saved, `${wire.dialect}/other`)).toEqual(saved)
  })

  it('is replaced if a tool showed it, while earlier images stay', async () => {
    const looks: Reply = { blocks: [calls('call12345', 'look')] }
    const { say, sent } = await open(wire, done, looks, refuses(reason), done)
    await say(text('one'), image)
    expect((await say(text('look'))).turn.stopReason).toBe('end_turn')
    expect(sent()).toEqual(['image', 'image', 'image', 'image and note'])
  })

  it('is replaced even if it is an earlier one', async () => {
    const { say, sent } = await open(wire, done, refuses(reason), refuses(reason), done)
    await say(text('one'), image)
    expect((await say(text('two'), image)).turn.stopReason).toBe('end_turn')
    expect(sent()).toEqual(['image', 'image', 'image and note', 'note'])
  })

  it('ends the turn if the request is refused without it too', async () => {
    const { say, sent } = await open(wire, refuses(reason), refuses(`${reason} 2`))
    const { turn } = await say(text('look'), image)
    expect(turn.error).toMatchObject({ code: 'invalid', message: expect.stringMatching(`${reason}$`) })
    expect(sent()).toEqual(['image', 'note'])
  })
})

const [wire] = wires.filter(({ dialect }) => dialect === 'openai-chat')

describe('a refusal', () => {
  it.each<[string, number]>([
    ['The image data you provided does not represent a valid image', 400],
    ['messages.0.content.1.image.source.base64: image exceeds 5 MB maximum', 400],
    ['The PDF specified was not valid.', 400],
    ['Unable to process input image.', 400],
    ['At least one of the image dimensions exceed max allowed size: 8000 pixels', 400],
    ['Failed to load image or audio file', 500],
    ['illegal base64 data at input byte 4', 400],
    ['image input is not supported - hint: you may need to provide the mmproj', 500],
    ['The document has no pages.', 400],
  ])('that says "%s" is about media', async (message, status) => {
    if (wire === undefined) return expect.fail('no wire')
    const { say, sent } = await open(wire, refuses(message, status), done)
    expect((await say(text('look'), image)).turn.stopReason).toBe('end_turn')
    expect(sent()).toEqual(['image', 'note'])
  })

  it.each(['max_tokens is too large', 'roles must alternate'])('that says "%s" is not', async (message) => {
    if (wire === undefined) return expect.fail('no wire')
    const { say, sent } = await open(wire, refuses(message))
    expect((await say(text('look'), image)).turn.error?.code).toBe('invalid')
    expect(sent()).toEqual(['image'])
  })

  it('without media in the request ends the turn', async () => {
    if (wire === undefined) return expect.fail('no wire')
    const { say, sent } = await open(wire, refuses(reason))
    expect((await say(text('look'))).turn.error?.code).toBe('invalid')
    expect(sent()).toEqual([''])
  })
})
