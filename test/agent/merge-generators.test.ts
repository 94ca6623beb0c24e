import { describe, expect, it } from 'vitest'
import { merge } from '../../src/agent/merge-generators.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { thrown } from '../support/thrown.ts'

/** Yields each word in its turn and records its end. */
async function* speaker(
  name: string,
  words: readonly Promise<string>[],
  ended: string[] = [],
): AsyncGenerator<string, string, undefined> {
  try {
    for (const word of words) yield `${name} ${await word}`
    return `${name} is done`
  } finally {
    ended.push(name)
  }
}

const now = (...words: readonly string[]) => words.map((word) => Promise.resolve(word))
const unused = () => 'stopped'

async function drain<T, R>(merged: AsyncGenerator<T, R>): Promise<{ said: T[]; result: R }> {
  const said: T[] = []
  for (;;) {
    const step = await merged.next()
    if (step.done === true) return { said, result: step.value }
    said.push(step.value)
  }
}

describe('merged generators', () => {
  it('yield values as they arrive and return results in their own order', async () => {
    const [first, second] = [deferred<string>(), deferred<string>()]
    const merged = merge([speaker('a', [first.promise]), speaker('b', [second.promise])], unused)
    second.resolve('before')
    expect(await merged.next()).toEqual({ done: false, value: 'b before' })
    first.resolve('after')
    expect(await drain(merged)).toEqual({ said: ['a after'], result: ['a is done', 'b is done'] })
  })

  it('may be none or one', async () => {
    expect(await drain(merge<string, string>([], unused))).toEqual({ said: [], result: [] })
    expect(await drain(merge([speaker('a', now('1', '2'))], unused))).toEqual({
      said: ['a 1', 'a 2'],
      result: ['a is done'],
    })
  })

  it('take turns, so that none starves another', async () => {
    const merged = merge([speaker('a', now('1', '2', '3')), speaker('b', now('1', '2', '3'))], unused)
    expect((await drain(merged)).said).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'a 3', 'b 3'])
  })

  it('are pulled only on demand', async () => {
    let pulled = 0
    async function* counter(): AsyncGenerator<number, void, undefined> {
      for (;;) yield ++pulled
    }
    const merged = merge([counter()], () => undefined)
    await merged.next()
    await merged.next()
    await new Promise(setImmediate)
    expect(pulled).toBe(2)
    await merged.return([])
  })

  it.each(['an error', 'a return'])('stop and then end the others after %s', async (how) => {
    const ended: string[] = []
    const stop = deferred<string>()
    const stopping: string[] = []
    const failing = (async function* (): AsyncGenerator<string, string, undefined> {
      yield 'c 1'
      throw new Error('c fails')
    })()
    const sources = [speaker('a', [stop.promise], ended), speaker('b', now('1'), ended), failing]
    const merged = merge(sources, () => {
      stopping.push(...ended)
      stop.resolve('too late')
      return 'stopped'
    })
    expect(await merged.next()).toMatchObject({ done: false, value: 'c 1' })
    if (how === 'an error') expect(await thrown(() => drain(merged))).toMatchObject({ message: 'c fails' })
    else expect(await merged.return([])).toEqual({ done: true, value: [] })
    expect(stopping).not.toContain('a')
    expect(ended.toSorted()).toEqual(['a', 'b'])
    for (const source of sources) expect(await source.next()).toEqual({ done: true, value: undefined })
  })
})
