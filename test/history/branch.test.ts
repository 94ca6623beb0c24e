import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { branchOf, branchUpTo } from '../../src/history/branch.ts'
import { beforeFirst } from '../../src/id.ts'
import { createSessionStore } from '../../src/json/sessions/session-store.ts'
import type { Message } from '../../src/message.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { folderWith } from '../support/folders/folder.ts'
import { anyMessage } from '../support/messages/arbitraries.ts'
import { countingIds } from '../support/messages/ids.ts'
import {
  assistant,
  call,
  messageId,
  text,
  timestamp,
  toolResult,
  user,
} from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'

/** Messages by number, each with the number of its parent if it names one. */
function tree(...parents: readonly (number | undefined)[]): readonly Message[] {
  return parents.map((parent, i) => {
    const message = { ...user(text(`m${i}`)), id: messageId(i) }
    return parent === undefined ? message : { ...message, parentId: messageId(parent) }
  })
}

function branch(messages: readonly Message[], head?: number): readonly number[] {
  const found = branchOf(head === undefined ? { messages } : { messages, head: messageId(head) })
  return found.map((message) => messages.indexOf(message))
}

describe('the current branch', () => {
  it('is the whole session if no message names a parent', () => {
    expect(branch(tree(undefined, undefined, undefined))).toEqual([0, 1, 2])
  })

  it('ends at the head', () => {
    expect(branch(tree(undefined, undefined, undefined), 1)).toEqual([0, 1])
  })

  it('leaves out the messages of a branch that was left', () => {
    const messages = tree(undefined, undefined, undefined, 0, undefined)
    expect(branch(messages)).toEqual([0, 3, 4])
    expect(branch(messages, 2)).toEqual([0, 1, 2])
  })

  it('ends at the last message if the head is lost', () => {
    expect(branch(tree(undefined, undefined), 7)).toEqual([0, 1])
  })

  it('begins at a message whose parent is lost, or stands behind it', () => {
    expect(branch(tree(undefined, 9, undefined))).toEqual([1, 2])
    expect(branch(tree(undefined, 2, undefined))).toEqual([1, 2])
    expect(branch(tree(undefined, 1))).toEqual([1])
  })

  it('is empty without messages, and before the first one', () => {
    expect(branch([])).toEqual([])
    expect(branchOf({ messages: tree(undefined, undefined), head: beforeFirst })).toEqual([])
  })

  it('begins anew at a message that follows the place before the first one', () => {
    const anew = { ...user(text('anew')), id: messageId(2), parentId: beforeFirst }
    expect(branch([...tree(undefined, undefined), anew])).toEqual([2])
  })

  it('is the same after any tree was saved and loaded', async () => {
    const directory = await folderWith()
    const ids = countingIds()
    const { signal } = new AbortController()
    const anyNumber = fc.option(fc.nat(), { nil: undefined })
    /** One of the first `count` messages, or the place before them. */
    const place = (n: number, count: number) =>
      n % (count + 1) === count ? beforeFirst : messageId(n % (count + 1))
    const anyTree = fc.array(fc.tuple(anyMessage, anyNumber), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(anyTree, anyNumber, async (nodes, chosen) => {
        const messages = nodes.map(([{ parentId: _, ...message }, parent], i): Message => {
          const parentId = parent === undefined ? undefined : place(parent, i)
          return { ...message, id: messageId(i), ...omitUndefined({ parentId }) }
        })
        const state = omitUndefined({
          head: chosen === undefined ? undefined : place(chosen, nodes.length),
        })
        const store = createSessionStore({ directory, clock: stillClock(), pid: 1, host: 'here' })
        const id = ids.session()
        const log = await store.create({ id, systemPrompt: '', createdAt: timestamp }, { signal })
        for (const message of messages) await log.append(message, state)
        await log.close()
        const { session } = await store.load(id, { signal })
        expect(session.messages).toStrictEqual(messages)
        expect(branchOf(session)).toStrictEqual(branchOf({ messages, ...state }))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a branch up to a message', () => {
  const messages = [
    { ...user(text('one')), id: messageId(1) },
    { ...assistant(call('a'), call('b')), id: messageId(2) },
    { ...toolResult('b', text('second')), id: messageId(3) },
    { ...toolResult('a', text('first')), id: messageId(4) },
    { ...assistant(text('Done.')), id: messageId(5) },
    { ...user(text('two')), id: messageId(6) },
    { ...user(text('another')), id: messageId(7), parentId: messageId(5) },
  ]
  const upTo = (n: number) => branchUpTo({ messages }, messageId(n)).map((one) => messages.indexOf(one) + 1)

  it('ends with a reply and the results of its calls', () => {
    expect(upTo(5)).toEqual([1, 2, 3, 4, 5])
    for (const n of [2, 3, 4]) expect(upTo(n)).toEqual([1, 2, 3, 4])
  })

  it('ends before a message of the user, as the next prompt takes its place', () => {
    expect(upTo(6)).toEqual([1, 2, 3, 4, 5])
    expect(upTo(7)).toEqual([1, 2, 3, 4, 5])
    expect(upTo(1)).toEqual([])
  })

  it('needs the id of one message', async () => {
    expect(await thrown(() => branchUpTo({ messages }, 'ffff'))).toMatchObject({ code: 'input' })
    expect(await thrown(() => branchUpTo({ messages }, '0000'))).toMatchObject({ code: 'input' })
  })
})
