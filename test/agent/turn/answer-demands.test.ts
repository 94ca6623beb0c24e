import { describe, expect, it } from 'vitest'
import { SchemaDemand } from '../../../src/answers/schema-demand.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/json-value.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { messageId, text, user } from '../../support/messages/messages.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { openWire, type Wire, wires } from '../../support/models/wires.ts'

type Reply = FakeReply<unknown>

const schema = {
  type: 'object',
  properties: { age: { type: 'integer' } },
  required: ['age'],
  additionalProperties: false,
}

function says(words: string): ScriptBlock {
  return { type: 'text', text: words }
}

async function open(wire: Wire, ...replies: readonly (ScriptBlock | Reply)[]) {
  const { server, provider } = await openWire(
    wire,
    replies.map((reply, i) => ('type' in reply ? whole(wire, reply, i) : reply)),
  )
  const look = {
    run: async function* () {
      yield { type: 'output', stream: 'stdout', chunk: '' } as const
      return { content: [text('seen')], isError: false }
    },
  }
  const agent = openAgent({
    provider,
    executor: scriptedTools({ look }),
    demands: [new SchemaDemand(schema)],
  })
  const ask = () => play(agent, { message: { ...user(text('How old?')), id: messageId(40) } })
  const sent = () => server.requests.map(({ body }) => (isJsonObject(body) ? describeForm(body) : ''))
  return { agent, ask, sent }
}

/** A reply whose ids are those of no other. */
function whole(wire: Wire, block: ScriptBlock, n: number): Reply {
  return { sse: wire.events([block]).join('').replaceAll('msg_0', `msg_${n}`) }
}

/** Where a request asks for the schema, and whether it allows calls. */
function describeForm(body: JsonObject): string {
  const form = JSON.stringify(schemasIn(body))
  return `${form.includes('"age"') ? 'schema' : 'any text'}${mayCall(body) ? ', calls' : ''}`
}

function schemasIn({
  output_config,
  text: words,
  response_format,
  format,
  generationConfig,
}: JsonObject): JsonValue {
  return [output_config, words, response_format, format, generationConfig].filter((one) => one !== undefined)
}

function mayCall({ tools, tool_choice, toolConfig }: JsonObject): boolean {
  return tools !== undefined && !/none/i.test(JSON.stringify([tool_choice, toolConfig]))
}

/** Those whose servers still make calls beside a schema. */
const combine = ['anthropic', 'openai-responses']

describe.each(wires)('an answer demanded of a server of $dialect', (wire) => {
  const first = combine.includes(wire.dialect) ? 'schema, calls' : 'any text, calls'

  it('is asked for once if it fits', async () => {
    const { ask, sent } = await open(wire, says('{"age": 3}'))
    expect((await ask()).turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(sent()).toEqual([first])
  })

  it('is asked for again in its form, without calls, if it does not', async () => {
    const { agent, ask, sent } = await open(wire, says('Three.'), says('{"age": 3}'))
    expect((await ask()).turn).toMatchObject({ stopReason: 'end_turn', rounds: 2 })
    expect(sent()).toEqual([first, 'schema'])
    expect(agent.saved.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('ends the turn with an error once it was asked for three times', async () => {
    const { ask, sent } = await open(wire, says('Three.'), says('{"age": "3"}'), says('{}'))
    const { turn } = await ask()
    expect(turn.error).toMatchObject({
      code: 'schema',
      message: expect.stringMatching(
        /^the answer does not fit the schema, even when asked 3 times: the whole: .*"age"/,
      ),
    })
    expect(sent()).toEqual([first, 'schema', 'schema'])
  })

  it('is asked for without its form if the server refuses that, and so from then on', async () => {
    const message = 'This model does not support structured output (response_format)'
    const refuses: Reply = {
      status: 400,
      body: JSON.stringify({ error: { type: 'invalid_request_error', message } }),
    }
    const given = combine.includes(wire.dialect)
      ? [refuses, says('Three.'), says('{"age": 3}')]
      : [says('Three.'), refuses, says('{}'), says('{"age": 3}')]
    const { ask, sent } = await open(wire, ...given)
    expect((await ask()).turn).toMatchObject({ stopReason: 'end_turn' })
    expect(sent()).toEqual(
      combine.includes(wire.dialect)
        ? ['schema, calls', 'any text, calls', 'any text']
        : ['any text, calls', 'schema', 'any text', 'any text'],
    )
  })
})
