import { describe, expect, it, onTestFinished } from 'vitest'
import { createTransport } from '../../src/http/transport.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json-value.ts'
import { type AssistantMessage, type Message, toolCalls } from '../../src/message.ts'
import { complete } from '../../src/provider.ts'
import { object, objects, text } from '../../src/wire/json-fields.ts'
import { load, save, signal } from '../json/folder.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { folderWith } from '../support/folders/folder.ts'
import { countingIds, otherIds } from '../support/messages/ids.ts'
import { text as say, toolResult, user } from '../support/messages/messages.ts'
import { readRecordings, recordingsFolder } from '../support/sessions/recordings.ts'
import { type Vendor, vendors } from '../support/vendors/vendors.ts'

/** Parts that must go back unchanged and in order: proofs of thinking, and the calls between them. */
type Landmarks = readonly string[]

interface Wire {
  readonly protocol: string
  readonly vendor: string
  /** Landmarks of the recorded reply, from the events of its body. */
  readonly recorded: (events: readonly JsonObject[]) => Landmarks
  /** Landmarks of the reply in the next request. */
  readonly sent: (body: JsonObject) => Landmarks
}

const wires: readonly Wire[] = [
  {
    protocol: 'anthropic-messages',
    vendor: 'anthropic',
    recorded: (events) => anthropicBlocks(events).flatMap(blockLandmarks),
    sent: (body) => spoken(body['messages'], 'content', 'assistant').flatMap(blockLandmarks),
  },
  {
    protocol: 'openai-responses',
    vendor: 'openai',
    recorded: (events) =>
      events.flatMap(({ type, item }) =>
        type === 'response.output_item.done' ? itemLandmarks(object(item) ?? {}) : [],
      ),
    sent: (body) => objects(body['input']).flatMap(itemLandmarks),
  },
  {
    protocol: 'gemini',
    vendor: 'gemini',
    recorded: (events) =>
      events.flatMap(({ candidates }) =>
        objects(object(objects(candidates)[0]?.['content'])?.['parts']).flatMap(partLandmarks),
      ),
    sent: (body) => spoken(body['contents'], 'parts', 'model').flatMap(partLandmarks),
  },
  {
    protocol: 'openai-chat',
    vendor: 'openrouter',
    recorded: (events) =>
      events.flatMap(({ choices }) => detailLandmarks(object(objects(choices)[0]?.['delta']) ?? {})),
    sent: (body) => objects(body['messages']).flatMap(detailLandmarks),
  },
]

function proof(value: JsonValue | undefined): Landmarks {
  return text(value) === '' ? [] : [`proof ${text(value)}`]
}

function named(call: JsonObject | undefined): Landmarks {
  return text(call?.['name']) === '' ? [] : [`call ${text(call?.['name'])}`]
}

function blockLandmarks(block: JsonObject): Landmarks {
  if (block['type'] === 'tool_use') return named(block)
  return proof(block['type'] === 'redacted_thinking' ? block['data'] : block['signature'])
}

function itemLandmarks(item: JsonObject): Landmarks {
  return item['type'] === 'function_call' ? named(item) : proof(item['encrypted_content'])
}

function partLandmarks(part: JsonObject): Landmarks {
  return [...named(object(part['functionCall'])), ...proof(part['thoughtSignature'])]
}

function detailLandmarks(message: JsonObject): Landmarks {
  return objects(message['reasoning_details']).flatMap(({ data, signature }) => [
    ...proof(data),
    ...proof(signature),
  ])
}

/** The blocks of an Anthropic reply, with their signatures. */
function anthropicBlocks(events: readonly JsonObject[]): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  for (const event of events) {
    const begun = object(event['content_block'])
    if (begun !== undefined) blocks.push(begun)
    const signature = text(object(event['delta'])?.['signature'])
    if (signature !== '') blocks.push({ ...blocks.pop(), signature })
  }
  return blocks
}

/** The parts of the messages with this role. */
function spoken(messages: JsonValue | undefined, parts: string, role: string): readonly JsonObject[] {
  return objects(messages).flatMap((message) => (message['role'] === role ? objects(message[parts]) : []))
}

function eventsOf(bytes: Buffer): readonly JsonObject[] {
  const lines = Array.from(bytes.toString().matchAll(/^data: ?(\{.*\})/gm), ([, data = '']) => data)
  return lines.map((line) => JSON.parse(line)).filter(isJsonObject)
}

/** Plays a recorded reply, saves and reloads the conversation, and returns the body of the next request. */
async function goOn(vendor: Vendor, bytes: Buffer): Promise<JsonObject> {
  const server = await vendor.start()
  const transport = createTransport()
  onTestFinished(async () => {
    transport.close()
    await server.close()
    expect(server.violations).toEqual([])
  })
  const ask = (messages: readonly Message[], newId = countingIds()): Promise<AssistantMessage> => {
    const access = { name: vendor.name, baseUrl: server.baseUrl, transport, newId, clock: createHandClock() }
    const request = { model: vendor.model, systemPrompt: '', messages, tools: [], thinking: 'low' } as const
    return complete(vendor.connect(access), request, { signal })
  }
  server.reply({ sse: bytes }, { sse: vendor.events([say('Done.')]).join('') })
  const asked = user(say('hello'))
  const reply = await ask([asked])
  const results = toolCalls(reply).map(({ id }) => toolResult(id, say('42')))
  const next = results.length > 0 ? results : [user(say('go on'))]
  const directory = await folderWith()
  await save(directory, [asked, reply, ...next])
  const { session, damage } = await load(directory)
  expect(damage).toEqual([])
  await ask(session.messages, otherIds())
  return object(JSON.parse(JSON.stringify(server.requests[1]?.body))) ?? {}
}

describe.skipIf(recordingsFolder === '')('a recorded reply', () => {
  describe.each(wires)('of $protocol', ({ protocol, vendor: name, recorded, sent }) => {
    const vendor = vendors.find((one) => one.name === name)
    const proven = readRecordings(protocol)
      .map((recording) => ({ ...recording, landmarks: recorded(eventsOf(recording.bytes)) }))
      .filter(
        ({ expected, landmarks }) => expected.complete && landmarks.some((mark) => mark.startsWith('proof')),
      )

    it('exists with proofs', () => expect(proven.length).toBeGreaterThan(4))

    it.each(proven)('is sent back with its landmarks in order: $name', async ({ bytes, landmarks }) => {
      if (vendor === undefined) throw new Error(`no vendor is called ${name}`)
      expect(sent(await goOn(vendor, bytes))).toEqual(landmarks)
    })
  })
})
