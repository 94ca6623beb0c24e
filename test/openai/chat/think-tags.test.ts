import { describe, expect, it } from 'vitest'
import type { ThinkTagUse } from '../../../src/machine/model-server.ts'
import { text } from '../../support/messages/messages.ts'
import { ask, leastRequest } from '../../support/models/asking.ts'
import { chat, delta, sse } from './playback.ts'

const stop = delta({}, 'stop')
const hm = { type: 'thinking', thinking: 'Hm.' } as const

/** Connects to a server that always says this, with these tags if a setting names them. */
function speaker(said: string, thinkTags?: ThinkTagUse, ...others: readonly object[]) {
  const bytes = sse(...others, delta({ content: said }), stop)
  return chat({ bytes }, thinkTags === undefined ? {} : { quirks: { thinkTags } })
}

/** Reads the words of the next reply, as they are shown and as they are kept. */
async function hear(provider: ReturnType<typeof chat>) {
  const stream = provider.stream(leastRequest, { signal: new AbortController().signal })
  const shown: Record<string, string> = { thinking: '', text: '' }
  for await (const event of stream)
    if (event.type === 'text_delta') shown['text'] += event.delta
    else if (event.type === 'thinking_delta') shown['thinking'] += event.delta
  return { shown, content: stream.message().content, metadata: stream.message().metadata }
}

describe('thinking in the text of a reply', () => {
  it.each([
    ['in tags', '<think>\nHm.\n</think>\n\nYes.', 'both'],
    ['in long tags after blanks', '\n\n<thinking>Hm.</thinking>Yes.', 'both'],
    ['before a closing tag alone', 'Hm.\n</think>\n\nYes.', 'closing'],
    ['before a closing tag that ends a line', 'Hm.</think>\n\nYes.', 'closing'],
  ] as const)('%s is told apart at its end, and then as it comes', async (_, said, use) => {
    const provider = speaker(said)
    const first = await hear(provider)
    expect(first.shown).toEqual({ thinking: '', text: said })
    expect(first.content).toEqual([hm, text('Yes.')])
    expect(first.metadata).toEqual({ think_tags: use })
    const second = await hear(provider)
    expect(second.shown['text']).toBe('Yes.')
    expect(second.shown['thinking']?.trim()).toBe('Hm.')
    expect(second.metadata).toBeUndefined()
  })

  it.each([
    ['right before the answer', 'Hm.</think>Yes.', 'Hm.'],
    ['at the start of a line', 'Hm.\n</think>Yes.', 'Hm.'],
  ])('is told apart at the end of each reply if the only tag is %s', async (_, said, thinking) => {
    const provider = speaker(said)
    for (const heard of [await hear(provider), await hear(provider)]) {
      expect(heard.shown).toEqual({ thinking: '', text: said })
      expect(heard.content).toEqual([{ type: 'thinking', thinking }, text('Yes.')])
    }
  })

  it('may speak of the tag that ends it', async () => {
    const thinking = 'They ask about </think> here.'
    expect((await hear(speaker(`${thinking}\n</think>\n\nYes.`))).content).toEqual([
      { type: 'thinking', thinking },
      text('Yes.'),
    ])
  })

  it('is told apart wherever the server cuts it', async () => {
    const said = '<think>Hm < </thin.</think>\n\nYes </think>'
    for (let at = 1; at < said.length; at++) {
      const bytes = sse(delta({ content: said.slice(0, at) }), delta({ content: said.slice(at) }), stop)
      const provider = chat({ bytes }, { quirks: { thinkTags: 'both' } })
      expect((await ask(provider)).content).toEqual([
        { type: 'thinking', thinking: 'Hm < </thin.' },
        text('Yes </think>'),
      ])
    }
  })

  it.each<[string, string, ThinkTagUse | undefined, readonly object[]]>([
    ['a server is set to use none', '<think>Hm.</think>Yes.', 'none', []],
    ['thinking has a field of its own', 'Hm.</think>Yes.', undefined, [delta({ reasoning: 'So.' })]],
    ['it is in a code span', 'Write `</think>` at the end.', undefined, []],
    ['it is in a code block', 'So:\n```\na\n</think>\n```\n', undefined, []],
    ['it is quoted', 'The tag "</think>" ends it.', undefined, []],
    ['it is in a sentence', 'Thoughts end with the tag </think> and then it answers.', undefined, []],
    ['it ends a sentence', 'Thoughts end with the tag </think>.', undefined, []],
    ['it is the last word', 'Thoughts end with the tag </think>', undefined, []],
    ['it is in a sentence at the end of a line', 'The tag is </think>\nand no other.', undefined, []],
    ['it begins a sentence', 'So:\n</think> ends the thoughts.', undefined, []],
    ['it is between words', 'It writes thoughts</think>answer.', undefined, []],
    ['both tags are in the middle', 'A <think>b</think> c', undefined, []],
    ['the text only begins alike', '<thin', 'both', []],
  ])('is a part of the answer if %s', async (_, said, use, others) => {
    const provider = speaker(said, use, ...others)
    for (const { shown, content } of [await hear(provider), await hear(provider)]) {
      expect(content.filter(({ type }) => type === 'text')).toEqual([text(said)])
      expect(shown['text']).toBe(said)
    }
  })

  it('may have no end', async () => {
    const cut = sse(delta({ content: '<think>Hm.' }), delta({}, 'length'))
    expect((await ask(chat({ bytes: cut }))).content).toEqual([hm])
    expect((await ask(chat({ bytes: cut }, { quirks: { thinkTags: 'both' } }))).content).toEqual([hm])
  })

  it('is an answer if a model that begins inside of it closes none', async () => {
    expect(await ask(speaker('Yes.', 'closing'))).toMatchObject({
      content: [text('Yes.')],
      metadata: { think_tags: 'none' },
    })
  })
})
