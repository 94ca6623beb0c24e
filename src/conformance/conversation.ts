import { strict as assert } from 'node:assert'
import type { Conversation } from '../conversation.ts'
import { isPipeError, PipeError } from '../error.ts'
import type { NewId } from '../id.ts'
import { contextLength, type Message, textContent, type UserMessage } from '../message.ts'
import { ConversationReader } from './conversation-reader.ts'
import { type ConversationParts, conversationScript, type ScriptedWords } from './conversation-script.ts'
import { countingIds, sampleText, timestamp } from './sample-messages.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One conversation for one case. */
export interface ConversationSubject {
  readonly conversation: Conversation
  /** Closes the conversation and all that was opened for it. */
  close?(): Promise<void>
}

interface Talk {
  readonly conversation: Conversation
  readonly reader: ConversationReader
  readonly newId: NewId
  send(text: string, when?: 'now' | 'later'): ReturnType<Conversation['send']>
  /** Lets the tool `pause` return. */
  release(): void
}

/** A turn that has begun: its first reply, the sign that it is there, and what the model says in the next turn. */
const states: readonly (readonly [string, string, readonly ScriptedWords[]])[] = [
  ['while the model speaks', 'text_delta', [{ hangs: 'Half' }]],
  ['during a call', 'tool_output', [{ calls: 'pause' }]],
  ['at an open question', 'interaction_requested', [{ calls: 'question' }]],
]

/** The promises of every `Conversation` that takes up no earlier one, in this process or over a connection. */
export function conversationConformance(
  create: (parts: ConversationParts) => Promise<ConversationSubject>,
): readonly ConformanceCase[] {
  const about = (
    name: string,
    replies: readonly ScriptedWords[],
    check: (talk: Talk) => Promise<void>,
  ): ConformanceCase => ({ name, run: () => inTalk(create, replies, check) })
  return [
    about('tells a turn in order, after a snapshot', ['Hi.'], async ({ conversation, reader, send }) => {
      assert.deepEqual([reader.first.state, reader.first.messages], ['idle', []])
      assert.equal(await send('hello'), 'started')
      await reader.until('settled')
      const order = ['turn_start', 'text_delta', 'turn_end', 'ended', 'settled']
      assert.deepEqual(
        reader.types.filter((type) => order.includes(type)),
        order,
      )
      assert.deepEqual(talkOf(conversation.messages), ['hello', 'Hi.'])
      assert.equal(conversation.usage.outputTokens, 5)
    }),
    about(
      'tells those who watch later whether it is settled',
      [{ calls: 'pause' }, 'Done.'],
      async ({ conversation, reader, send, release }) => {
        const isSettled = async () => {
          const late = await ConversationReader.open(conversation)
          late.close()
          return late.first.isSettled
        }
        const seen = [await isSettled()]
        await send('hello')
        seen.push(await isSettled())
        await reader.until('tool_output')
        seen.push(await isSettled())
        release()
        await reader.until('settled')
        seen.push(await isSettled())
        assert.deepEqual(seen, [true, false, false, true])
      },
    ),
    about(
      'tells each watcher the same, and after each position all that follows',
      [{ calls: 'pause' }, 'Done.', 'Later.'],
      async ({ conversation, reader, send, release }) => {
        const other = await ConversationReader.open(conversation)
        await send('first')
        await reader.until('tool_output')
        await send('second', 'later')
        release()
        for (const one of [reader, other]) await one.until('settled')
        assert.deepEqual(other.read, reader.read)
        for (const [i, { position }] of reader.read.slice(0, -1).entries()) {
          const back = await ConversationReader.open(conversation, position)
          await back.until('settled')
          back.close()
          assert.deepEqual(back.read, reader.read.slice(i + 1))
        }
        other.close()
      },
    ),
    about(
      'asks a question once, and keeps the first of two answers',
      [{ calls: 'question' }, 'Done.'],
      async ({ conversation, reader, send }) => {
        await send('hello')
        const interactionId = await reader.question()
        const { questions, calls } = (await ConversationReader.open(conversation)).first
        assert.deepEqual(
          [questions.map(({ id }) => id), calls.map(({ asks }) => asks)],
          [[interactionId], [interactionId]],
        )
        const response = { interactionId, answeredBy: 'user_local', inputValue: 'left' }
        await conversation.respond(response)
        await assert.rejects(
          () => conversation.respond({ ...response, inputValue: 'right' }),
          (error) => isPipeError(error) && ['conflict', 'not_found'].includes(error.code),
        )
        await reader.until('settled')
        assert.deepEqual(resultsOf(conversation.messages), ['left'])
        assert.equal(reader.types.filter((type) => type === 'interaction_requested').length, 1)
      },
    ),
    about(
      'keeps messages while a turn runs, and gives them back until they are delivered',
      [{ calls: 'pause' }, 'Done.'],
      async ({ conversation, reader, newId, send, release }) => {
        const [steer, later] = [say('steer', newId), say('later', newId)]
        await send('first')
        await reader.until('tool_output')
        assert.equal(await conversation.send(steer), 'steering')
        assert.equal(await conversation.send(later, 'later'), 'queued')
        for (const { id } of [steer, later]) await conversation.takeBack(id)
        const [first] = conversation.messages
        assert.ok(first)
        await throwsCode('not_found', () => conversation.takeBack(first.id))
        release()
        await reader.until('settled')
        assert.deepEqual(talkOf(conversation.messages), ['first', '', 'Done.'])
      },
    ),
    about(
      'gives each later message a turn of its own, in order',
      [{ calls: 'pause' }, 'One.', 'Two.', 'Three.'],
      async ({ conversation, reader, send, release }) => {
        await send('a')
        await reader.until('tool_output')
        await Promise.all([send('b', 'later'), send('c', 'later')])
        release()
        await reader.until('settled')
        const spoken = talkOf(conversation.messages).filter(Boolean)
        assert.deepEqual(spoken, ['a', 'One.', 'b', 'Two.', 'c', 'Three.'])
      },
    ),
    ...states.map(([state, sign, replies]) =>
      about(
        `ends the turn at an interrupt ${state}, and goes on with the next message`,
        [...replies, 'Next.'],
        async ({ conversation, reader, send }) => {
          await send('first')
          await reader.until(sign)
          await conversation.interrupt()
          const ended = await reader.until('ended')
          assert.equal(ended.type === 'ended' && ended.ending.stopReason, 'aborted')
          await reader.until('settled')
          assert.equal(await send('second'), 'started')
          await reader.until('settled')
          assert.equal(talkOf(conversation.messages).at(-1), 'Next.')
        },
      ),
    ),
    about('does nothing at an interrupt of nothing', ['Hi.'], async ({ conversation, reader, send }) => {
      await conversation.interrupt()
      await send('hello')
      const ended = await reader.until('ended')
      assert.equal(ended.type === 'ended' && ended.ending.stopReason, 'end_turn')
    }),
    about(
      'ends a turn with the error of its model',
      [new PipeError('auth', 'no such key')],
      async ({ reader, send }) => {
        await send('hello')
        const ended = await reader.until('ended')
        assert.ok(ended.type === 'ended')
        assert.equal(ended.ending.stopReason, 'error')
        assert.equal(ended.ending.error?.code, 'auth')
        await reader.until('settled')
      },
    ),
    about('tells of a new mode', [], async ({ conversation, reader }) => {
      await conversation.setMode('plan')
      const told = await reader.until('settings')
      assert.equal(told.type === 'settings' && told.settings.mode, 'plan')
      assert.equal(conversation.settings.mode, 'plan')
    }),
    about('ends a watching that waits by its return', [], async ({ conversation }) => {
      const watching = conversation.watch()
      await watching.next()
      const rest = (async () => {
        for await (const _ of watching);
      })()
      await watching.return?.()
      await rest
    }),
    about(
      'ends those who watch at its close, and takes nothing more',
      [],
      async ({ conversation, reader, send }) => {
        await conversation.close()
        await conversation.close()
        await reader.rest()
        await throwsCode('conflict', () => send('hello'))
      },
    ),
  ]
}

async function inTalk(
  create: (parts: ConversationParts) => Promise<ConversationSubject>,
  replies: readonly ScriptedWords[],
  check: (talk: Talk) => Promise<void>,
): Promise<void> {
  const newId = countingIds()
  const { provider, tools, release } = conversationScript(replies, newId)
  const subject = await create({ provider, tools })
  const { conversation } = subject
  const reader = await ConversationReader.open(conversation)
  try {
    const send = (text: string, when?: 'now' | 'later') => conversation.send(say(text, newId), when)
    await check({ conversation, reader, newId, send, release })
  } finally {
    release()
    reader.close()
    await subject.close?.()
  }
}

function say(text: string, newId: NewId): UserMessage {
  return { type: 'user', id: newId.message(), content: [sampleText(text)], timestamp }
}

/** Returns the words of the user and the model, in order. Leaves out the context before a message. */
function talkOf(messages: readonly Message[]): readonly string[] {
  return messages
    .filter(({ type }) => type !== 'tool_result')
    .map((message) => textContent({ content: message.content.slice(contextLength(message)) }))
}

function resultsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.type === 'tool_result' ? [textContent(message)] : []))
}
