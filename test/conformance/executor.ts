import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/json-value.ts'
import type { ToolContext, ToolExecutor, ToolOutput, ToolResult, ToolRun } from '../../src/tool.ts'

export interface ExecutorCall {
  readonly name: string
  readonly arguments: JsonValue
}

/** An executor for the suite, with sample calls. */
export interface ExecutorUnderTest {
  readonly executor: ToolExecutor
  /** A call that succeeds, however often it is made. */
  readonly good: ExecutorCall
  /** A call of an existing tool with invalid arguments. */
  readonly bad: ExecutorCall
  /** A call that outlasts any test, if the executor has such a tool. */
  readonly endless?: ExecutorCall
  close(): Promise<void>
}

const actor = { id: 'agent_test', kind: 'agent', displayName: 'Test', capabilities: [] } as const

export function toolContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return { callId: 'call_1', signal, actor }
}

/** Pulls a run to its end, and answers questions with `undefined`. */
export async function drainRun(run: ToolRun): Promise<{ outputs: ToolOutput[]; result: ToolResult }> {
  const outputs: ToolOutput[] = []
  for (;;) {
    const step = await run.next(undefined)
    if (step.done === true) return { outputs, result: step.value }
    outputs.push(step.value)
  }
}

/** The promises of every `ToolExecutor`, whatever its tools. */
export function testExecutor(name: string, create: () => Promise<ExecutorUnderTest>): void {
  const withExecutor = (test: (under: ExecutorUnderTest) => Promise<void>) => async () => {
    const under = await create()
    try {
      await test(under)
    } finally {
      await under.close()
    }
  }
  const start = ({ executor }: ExecutorUnderTest, call: ExecutorCall, signal?: AbortSignal) =>
    executor.execute(call.name, call.arguments, toolContext(signal))

  describe(`${name} as a tool executor`, () => {
    it(
      'lists tools with distinct names, a description and an object schema',
      withExecutor(async ({ executor }) => {
        const tools = executor.tools()
        expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length)
        for (const tool of tools) {
          expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
          expect(tool.description.trim()).not.toBe('')
          expect(tool.parameters['type']).toBe('object')
        }
      }),
    )

    it(
      'reports for any arguments whether the call changes something',
      withExecutor(async ({ executor }) => {
        for (const tool of executor.tools()) {
          for (const args of [null, {}, [], 'text', { command: 1 }]) {
            expect(typeof tool.readOnly(args)).toBe('boolean')
          }
        }
      }),
    )

    it(
      'returns a result whose content and details survive JSON',
      withExecutor(async (under) => {
        const { result } = await drainRun(start(under, under.good))
        expect(result.isError).toBe(false)
        expect(result.content.length).toBeGreaterThan(0)
        for (const block of result.content) expect(block.type === 'text' && block.text === '').toBe(false)
        expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      }),
    )

    it(
      'runs calls in parallel',
      withExecutor(async (under) => {
        const runs = await Promise.all([1, 2, 3].map(() => drainRun(start(under, under.good))))
        expect(runs.map(({ result }) => result.isError)).toEqual([false, false, false])
      }),
    )

    it(
      'answers an unknown tool and bad arguments with an error result',
      withExecutor(async (under) => {
        for (const call of [{ name: 'no_such_tool', arguments: {} }, under.bad]) {
          const { result } = await drainRun(start(under, call))
          expect(result.isError).toBe(true)
          expect(result.content.length).toBeGreaterThan(0)
        }
        for (const args of [null, 'text', 3, []]) {
          const { result } = await drainRun(start(under, { ...under.good, arguments: args }))
          expect(result.isError).toBe(true)
        }
      }),
    )

    it(
      'rejects names that every object has as a property',
      withExecutor(async (under) => {
        for (const known of ['constructor', '__proto__', 'toString']) {
          const { result } = await drainRun(start(under, { name: known, arguments: {} }))
          expect(result.isError).toBe(true)
        }
      }),
    )

    it(
      'throws aborted if the signal has already fired',
      withExecutor(async (under) => {
        const run = start(under, under.good, AbortSignal.abort())
        await expect(drainRun(run)).rejects.toMatchObject({ code: 'aborted' })
      }),
    )

    it(
      'throws aborted when the signal fires, and stays usable',
      withExecutor(async (under) => {
        if (under.endless === undefined) return
        const abort = new AbortController()
        const running = drainRun(start(under, under.endless, abort.signal))
        const refused = expect(running).rejects.toMatchObject({ code: 'aborted' })
        await new Promise((resolve) => setTimeout(resolve, 100))
        abort.abort()
        await refused
        expect((await drainRun(start(under, under.good))).result.isError).toBe(false)
      }),
    )

    it(
      'may be returned before the first pull',
      withExecutor(async (under) => {
        const given = { content: [], isError: true }
        expect(await start(under, under.good).return(given)).toEqual({ done: true, value: given })
      }),
    )
  })
}
