import { strict as assert } from 'node:assert'
import type { Elf, ElfResult } from '../elf.ts'
import type { AgentEvent } from '../event.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One elf for one case. */
export interface ElfSubject {
  readonly elf: Elf
  /** Fires the signal that it was made with. */
  stop(): void
}

export interface ElfOptions {
  /** The texts of its replies. Each but the last follows with a call. */
  readonly says: readonly string[]
  /** Its model then fails for good. Default: false. */
  readonly fails?: boolean
}

/** The promises of every elf. `create` returns one that has not begun, whose replies spend 10 tokens of input and 5 of output each. */
export function elfConformance(
  create: (options: ElfOptions) => Promise<ElfSubject>,
): readonly ConformanceCase[] {
  const about = (name: string, options: ElfOptions, check: (subject: ElfSubject) => Promise<void>) => ({
    name,
    run: async () => check(await create(options)),
  })
  const two = { says: ['I look.', 'Found it.'] }
  const found: Partial<ElfResult> = { text: 'Found it.', stopReason: 'end_turn', rounds: 2 }
  return [
    about(
      'runs as its events are pulled, and returns its last text and what it spent',
      two,
      async ({ elf }) => {
        const { events, result } = await drain(elf)
        assert.deepEqual(factsOf(result), found)
        assert.deepEqual([result.usage.inputTokens, result.usage.outputTokens], [20, 10])
        assert.deepEqual([events.at(0)?.type, events.at(-1)?.type], ['turn_start', 'turn_end'])
      },
    ),
    about('numbers its events without a gap, under its own id', two, async ({ elf }) => {
      const { events } = await drain(elf)
      assert.deepEqual(
        events.map(({ agentId, seq }) => [agentId, seq]),
        events.map((_, i) => [elf.id, i + 1]),
      )
    }),
    about('runs to its end when it is awaited, any number of times', two, async ({ elf }) => {
      const results = await Promise.all([elf.wait(), elf.wait()])
      assert.deepEqual(results.map(factsOf), [found, found])
      assert.deepEqual(factsOf(await elf.wait()), found)
    }),
    about('gives whoever waits the result of the events that another pulls', two, async ({ elf }) => {
      const events = elf.events()
      const waiting = elf.wait()
      while ((await events.next()).done !== true);
      assert.deepEqual(factsOf(await waiting), found)
    }),
    about('is pulled once', two, async ({ elf }) => {
      elf.events()
      await throwsCode('conflict', () => elf.events())
    }),
    about(
      'returns an aborted result when its signal fires, and keeps what it said',
      two,
      async ({ elf, stop }) => {
        const result = await drain(elf, ({ type }) => {
          if (type === 'tool_start') stop()
        })
        assert.deepEqual(factsOf(result.result), { text: 'I look.', stopReason: 'aborted', rounds: 1 })
      },
    ),
    about('ends on the command to interrupt', two, async ({ elf }) => {
      const { result } = await drain(elf, ({ type }) => {
        if (type === 'tool_start') elf.send({ type: 'interrupt' })
      })
      assert.equal(result.stopReason, 'aborted')
    }),
    about('tells a failure in its result', { says: [], fails: true }, async ({ elf }) => {
      const { stopReason, error } = await elf.wait()
      assert.equal(stopReason, 'error')
      assert.notEqual(error, undefined)
    }),
    about('lets nobody wait for one that is left', two, async ({ elf }) => {
      const events = elf.events()
      await events.next()
      const waiting = elf.wait()
      await events.return(await Promise.resolve(nothing))
      assert.equal((await waiting).stopReason, 'aborted')
    }),
  ]
}

const nothing: ElfResult = {
  text: '',
  stopReason: 'aborted',
  rounds: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
}

function factsOf({ text, stopReason, rounds }: ElfResult): Partial<ElfResult> {
  return { text, stopReason, rounds }
}

async function drain(
  elf: Elf,
  see: (event: AgentEvent) => void = () => undefined,
): Promise<{ readonly events: readonly AgentEvent[]; readonly result: ElfResult }> {
  const events: AgentEvent[] = []
  const running = elf.events()
  for (;;) {
    const step = await running.next()
    if (step.done === true) return { events, result: step.value }
    events.push(step.value)
    see(step.value)
  }
}
