import { describe, expect, it } from 'vitest'
import { geminiBody } from '../../src/google/request.ts'
import { type AssistantMessage, toolCalls } from '../../src/message.ts'
import { text, toolResult, user } from '../support/messages/messages.ts'
import { leastRequest } from '../support/models/asking.ts'
import { readRecordings } from '../support/sessions/recordings.ts'
import { checkGeminiBody } from '../support/vendors/gemini-rules.ts'
import { partEvent } from '../support/vendors/gemini-sse.ts'
import { read } from './playback.ts'

interface WirePart {
  readonly text?: string
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly name?: string; readonly id?: string }
}

/** Returns the parts of a reply as sent back after a save and a load. */
function sentBack(reply: AssistantMessage, provider = 'gemini', model = 'asked'): readonly WirePart[] {
  const results = toolCalls(reply).map(({ id }) => toolResult(id, text('42')))
  const history = [user(text('hello')), reply, ...results, user(text('go on'))]
  const body = geminiBody({ ...leastRequest, model, messages: JSON.parse(JSON.stringify(history)) }, provider)
  const sent = JSON.parse(JSON.stringify(body))
  expect(checkGeminiBody(sent)).not.toHaveProperty('violation')
  return sent.contents.flatMap(({ role, parts }: typeof sent) => (role === 'model' ? parts : []))
}

/** Returns the parts of a recording in order, line by line. */
function partsOf(bytes: Buffer): readonly WirePart[] {
  return Array.from(bytes.toString().matchAll(/^data: ?(\{.*\})/gm), ([, data = '']) =>
    JSON.parse(data),
  ).flatMap(({ candidates }) => candidates[0].content?.parts ?? [])
}

/** The kind and signature of a part, with its text or its call's name. */
function gist({ text, functionCall, thoughtSignature }: WirePart) {
  return { text, call: functionCall?.name, id: functionCall?.id, thoughtSignature }
}

const streams = readRecordings('gemini').filter(({ status }) => status === 200)

describe.skipIf(streams.length === 0)('a request after a recorded reply', () => {
  it.each(streams)('sends $name back with its signatures in their places', async ({ bytes }) => {
    const sent = sentBack(await read(bytes.toString()))
    const recorded = partsOf(bytes).filter((part) => part.thoughtSignature !== undefined)
    const proofs = sent.filter((part) => 'thoughtSignature' in part)
    expect(proofs.map(gist)).toEqual(
      recorded.map((part) => ({
        ...gist(part),
        id: part.functionCall && (part.functionCall.id ?? expect.any(String)),
      })),
    )
  })

  it.each(streams)('sends $name to others without signatures', async ({ bytes }) => {
    const reply = await read(bytes.toString())
    for (const sent of [sentBack(reply, 'other'), sentBack(reply, 'gemini', 'other')])
      expect(JSON.stringify(sent)).not.toContain('thoughtSignature')
  })
})

it('sends a reply with all kinds of signed parts back unchanged', async () => {
  const parts = [
    { text: 'Hm', thought: true },
    { text: '.', thought: true, thoughtSignature: 'dGg=' },
    { text: 'a' },
    { text: 'b', thoughtSignature: 'dHg=' },
    { text: 'c' },
    { text: '', thoughtSignature: 'ZW1w' },
    { executableCode: { language: 'PYTHON', code: '1' }, thoughtSignature: 'Y29k' },
    { functionCall: { name: 'read', args: { p: 1 }, id: 'a' }, thoughtSignature: 'Y2Fs' },
    { functionCall: { name: 'read', args: {}, id: 'b' } },
    { text: '', thoughtSignature: 'bGFz' },
  ]
  const events = parts.map((part) => partEvent(part, part === parts.at(-1) ? { finishReason: 'STOP' } : {}))
  expect(sentBack(await read(events.join('')))).toEqual(parts)
})
