import { describe, expect, it, onTestFinished } from 'vitest'
import { interruptedText } from '../../src/agent/turn/repair.ts'
import type { AgentEvent } from '../../src/event.ts'
import { createTransport } from '../../src/http/transport.ts'
import type { NewId } from '../../src/id.ts'
import type { ContentBlock } from '../../src/message.ts'
import type { ScriptBlock } from '../../src/replay/script.ts'
import { openStore, signal } from '../json/folder.ts'
import { sessionId } from '../json/session-id.ts'
import { type AgentUnderTest, openAgent, play } from '../support/conversations/agent.ts'
import { scriptedTools, waits } from '../support/conversations/scripted-tools.ts'
import { folderWith } from '../support/folders/folder.ts'
import { countingIds } from '../support/messages/ids.ts'
import { image, text, timestamp, user } from '../support/messages/messages.ts'
import { sized } from '../support/thorough.ts'
import { meet, namesIn, type VendorScript } from '../support/vendors/vendor-script.ts'
import { type Vendor, variants, vendors } from '../support/vendors/vendors.ts'

const tools = scriptedTools({
  look: result({ content: [text('A map.'), image], isError: false }),
  fail: result({ content: [text('No such file.')], isError: true }),
  quiet: result({ content: [text('')], isError: false }),
  wait: waits(new Promise(() => {}), { before: 'waiting', text: 'never' }),
})

function result(gives: { readonly content: readonly ContentBlock[]; readonly isError: boolean }) {
  return {
    readOnly: true,
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      return gives
    },
  }
}

const thinks: ScriptBlock = { type: 'thinking', thinking: '' }
const calls = (name: string): ScriptBlock => ({ type: 'tool_call', name, arguments: { path: name } })

/** A conversation that is saved after each part and loaded by a new store for the next. */
async function open() {
  const newId = countingIds()
  const transport = createTransport()
  const directory = await folderWith()
  onTestFinished(() => transport.close())
  let isNew = true
  const load = async () => {
    const store = openStore(directory)
    const session = { id: sessionId(), systemPrompt: 'Be brief.', createdAt: timestamp }
    if (isNew) return { log: await store.create(session, { signal }) }
    const { log, loaded } = await store.open(session.id, { signal })
    expect(loaded.damage).toEqual([])
    return { log, messages: loaded.session.messages }
  }
  return {
    meet: (vendor: Vendor) => meet(vendor, { transport, newId }),
    part: async ({ choice }: VendorScript, run: (conversation: Conversation) => Promise<void>) => {
      const agent = openAgent({ ...(await load()), model: choice, executor: tools, newId })
      isNew = false
      try {
        await run({ ...agent, ask: (words, ...watches) => ask(agent, newId, words, watches) })
      } finally {
        await agent.conversation.close()
      }
    },
  }
}

type Watch = readonly [type: AgentEvent['type'], then: (agent: AgentUnderTest) => void]

interface Conversation extends AgentUnderTest {
  /** Runs a turn in which each watched event occurs once, in order. Returns the stop reason. */
  ask(words: readonly ContentBlock[] | string, ...watches: readonly Watch[]): Promise<string>
}

async function ask(
  agent: AgentUnderTest,
  newId: NewId,
  words: readonly ContentBlock[] | string,
  watches: readonly Watch[],
): Promise<string> {
  const content = typeof words === 'string' ? [text(words)] : words
  const message = { ...user(...content), id: newId.message() }
  const waiting = [...watches]
  const { turn } = await play(agent, {
    message,
    see: ({ type }) => {
      if (waiting[0]?.[0] === type) waiting.shift()?.[1](agent)
    },
  })
  expect(turn.error?.code === 'aborted' ? undefined : turn.error).toBeUndefined()
  expect(waiting).toEqual([])
  return turn.stopReason
}

const interrupt = ({ engine }: AgentUnderTest) => engine.send({ type: 'interrupt' })
const handTo =
  ({ choice }: VendorScript) =>
  ({ engine }: AgentUnderTest) =>
    engine.send({ type: 'set_model', choice })

/** Turns with images, failures, empty results and three kinds of interrupt. */
async function converse(conversation: Conversation, vendor: VendorScript): Promise<void> {
  vendor.says(thinks, text('I look.'), calls('look'), calls('fail'))
  vendor.says(thinks, calls('quiet'))
  vendor.says(thinks, text('Seen.'))
  expect(await conversation.ask([text('Look at this.'), image])).toBe('end_turn')
  vendor.says(thinks, calls('wait'))
  expect(await conversation.ask('Wait.', ['tool_output', interrupt])).toBe('aborted')
  vendor.hangs('"though"', thinks)
  expect(await conversation.ask('Think.', ['thinking_delta', interrupt])).toBe('aborted')
  vendor.hangs('"write"', thinks, text('I write.'), calls('write'))
  expect(await conversation.ask('Write.', ['tool_call_begin', interrupt])).toBe('aborted')
}

/** Texts of `converse` that every model receives. */
const said = ['Look at this.', 'I look.', 'A map.', 'No such file.', 'Seen.', 'Think.', 'I write.']

/** Returns the earlier conversation of a request, part by part. */
function partsOf(body: unknown): readonly string[] {
  const { messages, input, contents } = JSON.parse(JSON.stringify(body))
  return (messages ?? input ?? contents).flatMap((message: Record<string, unknown>) => {
    const parts = message['parts'] ?? message['content']
    if (!Array.isArray(parts)) return [JSON.stringify(message)]
    return parts.map(({ cache_control, ...part }) => JSON.stringify([message['role'], part]))
  })
}

function expectKept({ server, owed, whole }: VendorScript): void {
  expect(server.violations).toEqual([])
  expect(server.requests.map(({ body }) => namesIn(body).toSorted())).toEqual(
    owed.map((names) => names.toSorted()),
  )
  const told = whole.map((index) => partsOf(server.requests[index]?.body))
  for (const [i, parts] of told.slice(1).entries()) expect(parts.slice(0, told[i]?.length)).toEqual(told[i])
}

const all = [...vendors, ...variants]
/** Each gives to itself and to the next one, and in the slow suite to the others. */
function takers(index: number) {
  const near = [...all, ...all].slice(index, index + 2)
  return sized(
    all.filter((one) => !near.includes(one)),
    near,
  )
}
const pairs = all.flatMap((from, index) =>
  takers(index).map((to) => ({ from, to: from === to ? { ...to, name: `${to.name}2` } : to })),
)

describe('a conversation', () => {
  it.each(pairs)('of $from.name continues with $to.name and returns', async ({ from, to }) => {
    const { meet, part } = await open()
    const a = await meet(from)
    const b = await meet(to)

    await part(a, (conversation) => converse(conversation, a))
    await part(a, async (conversation) => {
      handTo(b)(conversation)
      b.says(thinks, text('I look too.'), calls('look'), calls('fail'))
      b.says(text('A map it is.'))
      expect(await conversation.ask('And you?')).toBe('end_turn')
    })
    await part(b, async (conversation) => {
      handTo(a)(conversation)
      a.says(thinks, calls('look'))
      b.says(thinks, text('I help.'), calls('quiet'))
      a.says(thinks, text('Done.'))
      expect(
        await conversation.ask('Together now.', ['tool_start', handTo(b)], ['tool_start', handTo(a)]),
      ).toBe('end_turn')
    })

    for (const vendor of [a, b]) expectKept(vendor)
    const taken = JSON.stringify(b.server.requests[0]?.body)
    for (const words of said) expect(taken).toContain(words)
    expect(taken.split(interruptedText)).toHaveLength(3)
    expect(taken.split('iVBORw0KGgo=')).toHaveLength(to.info?.images === false ? 1 : 3)
  })
})
