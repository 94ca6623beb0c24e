import { describe, expect, it, vi } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { ServerPrompts } from '../../../src/frontend/server-prompts.ts'
import { loadFuzzy } from '../../../src/ink/completion/fuzzy.ts'
import { PromptCompletions } from '../../../src/ink/completion/prompt-completions.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'

function open(values: ServerPrompts['values'] = async () => ['main', 'my branch', "it's"]) {
  const asked: string[] = []
  const failures: unknown[] = []
  const signals: AbortSignal[] = []
  const onMore = vi.fn()
  const clock = createHandClock()
  const prompts: ServerPrompts = {
    has: (command) => command === 'notes:review',
    values: (argument, signal) => {
      asked.push(`${argument.words.join(',')}|${argument.typed}`)
      signals.push(signal)
      return values(argument, signal)
    },
  }
  const completions = new PromptCompletions({
    prompts,
    clock,
    onMore,
    fail: (error) => failures.push(error),
  })
  return { completions, asked, failures, signals, onMore, clock }
}

describe('the values of a prompt of a server', () => {
  it('are asked for once no key is typed for a while, for the word that is written', async () => {
    const { completions, asked, onMore, clock } = open()
    const find = await loadFuzzy()
    expect(completions.find('notes:review', '', find)).toEqual({ items: [], before: 0 })
    expect(completions.find('notes:review', 'm', find)).toEqual({ items: [], before: 0 })
    expect(asked).toEqual([])
    clock.advance(200)
    await vi.waitFor(() => expect(onMore).toHaveBeenCalledOnce())
    expect(completions.find('notes:review', 'm', find)?.items).toEqual([
      { label: 'main', matched: [0], text: 'main ' },
      { label: 'my branch', matched: [0], text: '"my branch" ' },
    ])
    expect(asked).toEqual(['|m'])
  })

  it('are those of the argument behind the words before it', async () => {
    const { completions, asked, clock } = open()
    const find = await loadFuzzy()
    for (const [words, before] of [
      ['main ', 5],
      ['"my branch" fo', 12],
      ['"my br', 0],
    ] as const) {
      expect(completions.find('notes:review', words, find)?.before).toBe(before)
      clock.advance(200)
    }
    expect(completions.find('notes:review', '"my branch"', find)).toBeUndefined()
    clock.advance(200)
    expect(asked).toEqual(['main|', 'my branch|fo', '|my br'])
  })

  it('are not waited for beyond a time, nor after the line has changed', async () => {
    const { completions, signals, failures, clock } = open(
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new PipeError('aborted', 'interrupted'))),
        ),
    )
    const find = await loadFuzzy()
    completions.find('notes:review', 'a', find)
    clock.advance(200)
    completions.find('notes:review', 'ab', find)
    clock.advance(200)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    clock.advance(5_000)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(failures).toEqual([])
  })

  it('are none if the server fails; what is no failure of a server is reported', async () => {
    const errors = [new PipeError('tool', 'gone'), new TypeError('a bug')]
    const { completions, failures, clock } = open(async () => {
      throw errors.shift()
    })
    const find = await loadFuzzy()
    completions.find('notes:review', 'a', find)
    clock.advance(200)
    await Promise.resolve()
    completions.find('notes:review', 'ab', find)
    clock.advance(200)
    await vi.waitFor(() => expect(failures).toEqual([new TypeError('a bug')]))
    expect(completions.find('notes:review', 'ab', find)?.items).toEqual([])
  })
})
