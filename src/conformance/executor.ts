import { strict as assert } from 'node:assert'
import { capabilities } from '../actor.ts'
import type { JsonValue } from '../json-value.ts'
import type { ToolContext, ToolExecutor, ToolOutput, ToolResult } from '../tool.ts'
import { type ConformanceCase, casesOn, throwsCode } from './suite.ts'

export interface ExecutorCall {
  readonly name: string
  readonly arguments: JsonValue
}

/** One executor for one case, with sample calls. */
export interface ExecutorSubject {
  readonly executor: ToolExecutor
  /** A call that succeeds, however often it is made. */
  readonly good: ExecutorCall
  /** A call of an existing tool with invalid arguments. */
  readonly bad: ExecutorCall
  /** A call that has output and then lasts until it is aborted, if the executor has such a tool. */
  readonly endless?: ExecutorCall
  close?(): Promise<void>
}

/** The promises of every `ToolExecutor`, whatever its tools. */
export function executorConformance(create: () => Promise<ExecutorSubject>): readonly ConformanceCase[] {
  const about = casesOn(create)
  return [
    about('lists tools with distinct names, a description and an object schema', async ({ executor }) => {
      const tools = executor.tools()
      assert.equal(new Set(tools.map((tool) => tool.name)).size, tools.length)
      for (const tool of tools) {
        assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/)
        assert.notEqual(tool.description.trim(), '')
        assert.equal(tool.parameters['type'], 'object')
      }
    }),
    about('tells for any arguments whether the call changes something', async ({ executor }) => {
      const all: readonly JsonValue[] = [null, {}, [], 'text', { command: 1 }]
      for (const tool of executor.tools()) {
        for (const args of all) assert.equal(typeof tool.readOnly(args), 'boolean')
      }
    }),
    about('returns a result whose content and details survive JSON', async (subject) => {
      const { isError, content, ...more } = await run(subject, subject.good)
      assert.equal(isError, false)
      assert.ok(content.length > 0)
      for (const block of content) assert.ok(block.type !== 'text' || block.text !== '')
      const result = { isError, content, ...more }
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result)
    }),
    about('runs calls in parallel', async (subject) => {
      const results = await Promise.all([1, 2, 3].map(() => run(subject, subject.good)))
      assert.deepEqual(
        results.map(({ isError }) => isError),
        [false, false, false],
      )
    }),
    about('answers an unknown tool and bad arguments with an error result', async (subject) => {
      const bad: readonly JsonValue[] = [null, 'text', 3, []]
      const calls = [
        { name: 'no_such_tool', arguments: {} },
        subject.bad,
        ...bad.map((args) => ({ ...subject.good, arguments: args })),
      ]
      for (const call of calls) {
        const { isError, content } = await run(subject, call)
        assert.ok(isError && content.length > 0)
      }
    }),
    about('rejects names that every object has as a property', async (subject) => {
      for (const name of ['constructor', '__proto__', 'toString']) {
        assert.ok((await run(subject, { name, arguments: {} })).isError)
      }
    }),
    about('throws aborted if the signal has already fired', async (subject) => {
      await throwsCode('aborted', () => run(subject, subject.good, AbortSignal.abort()))
    }),
    about('throws aborted when the signal fires, and stays usable', async (subject) => {
      if (subject.endless === undefined) return
      const abort = new AbortController()
      const stop = () => abort.abort()
      await throwsCode('aborted', () => run(subject, subject.endless ?? subject.good, abort.signal, stop))
      assert.equal((await run(subject, subject.good)).isError, false)
    }),
    about('can be ended before the first pull', async ({ executor, good }) => {
      const given = { content: [], isError: true }
      const started = executor.execute(good.name, good.arguments, context(new AbortController().signal))
      assert.deepEqual(await started.return(given), { done: true, value: given })
    }),
  ]
}

/** Runs a call to its end, without an answer to its questions. */
async function run(
  { executor }: ExecutorSubject,
  call: ExecutorCall,
  signal: AbortSignal = new AbortController().signal,
  onOutput: (output: ToolOutput) => void = () => undefined,
): Promise<ToolResult> {
  const running = executor.execute(call.name, call.arguments, context(signal))
  for (;;) {
    const step = await running.next(undefined)
    if (step.done === true) return step.value
    onOutput(step.value)
  }
}

function context(signal: AbortSignal): ToolContext {
  const actor = { id: 'agent_test', kind: 'agent', displayName: 'Test', capabilities } as const
  return { callId: 'call_1', signal, actor }
}
