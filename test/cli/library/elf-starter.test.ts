import { expect, it, onTestFinished } from 'vitest'
import { openAuditLog } from '../../../src/cli/library/audit/open-audit-file.ts'
import { defineProvider } from '../../../src/cli/library/define-provider.ts'
import { elfStarter } from '../../../src/cli/library/elf-starter.ts'
import type { ConversationOptions } from '../../../src/cli/library/library-options.ts'
import { mockProvider } from '../../../src/cli/library/mock/mock-provider.ts'
import { elfConformance } from '../../../src/conformance/elf.ts'
import { PipeError } from '../../../src/error.ts'
import { conforms } from '../../support/conforms.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'

const start = elfStarter(process.cwd())

/** A model that runs a command once, and then says Done. */
const commander = defineProvider(
  'own',
  ({ messages }) =>
    async function* () {
      if (messages.at(-1)?.type === 'tool_result') {
        yield { type: 'text_delta', id: 't', delta: 'Done.' }
        return { stopReason: 'end_turn', usage: { inputTokens: 3, outputTokens: 2 } }
      }
      yield { type: 'tool_call_begin', id: 'c1', name: 'bash' }
      yield { type: 'tool_call_delta', id: 'c1', delta: '{"command":"mkdir made"}' }
      return { stopReason: 'tool_use', usage: { inputTokens: 3, outputTokens: 2 } }
    },
)
const model = { provider: commander, model: '' }

async function started(options: ConversationOptions = {}) {
  const cwd = await folderWith()
  const env = { PATH: process.env['PATH'], PIPE_HOME: await folderWith() }
  const elf = await start('Make it.', { cwd, env, model, ...options })
  onTestFinished(() => elf.close())
  return { elf, env }
}

it('runs to its end when it is awaited, and keeps its own session and audit log', async () => {
  const { elf, env } = await started({ onQuestion: () => ({ selectedOptionId: 'allow' }) })
  const result = await elf.wait()
  expect(result).toEqual({
    text: 'Done.',
    stopReason: 'end_turn',
    rounds: 2,
    usage: { inputTokens: 6, outputTokens: 4 },
  })
  expect([elf.model, elf.engine.history.length, elf.engine.state]).toEqual(['own/', 4, 'idle'])
  expect(await elf.wait()).toEqual(result)
  const log = openAuditLog({ env, session: String(elf.sessionId) })
  expect((await log.verify({ isOver: true })).fault).toBeUndefined()
})

conforms(
  'a started elf keeps the promises of elves: it',
  elfConformance(async ({ says, fails }) => {
    const left = [...says]
    const usage = { inputTokens: 10, outputTokens: 5 }
    const provider = defineProvider(
      'own',
      () =>
        async function* () {
          yield { type: 'text_delta', id: 't', delta: left.shift() ?? '' }
          if (left.length === 0 && fails === true) throw new PipeError('auth', 'the key is void')
          if (left.length === 0) return { stopReason: 'end_turn', usage }
          yield { type: 'tool_call_begin', id: `c${left.length}`, name: 'bash' }
          yield { type: 'tool_call_delta', id: `c${left.length}`, delta: '{"command":"pwd"}' }
          return { stopReason: 'tool_use', usage }
        },
    )
    const stop = new AbortController()
    const { elf } = await started({ model: { provider, model: '' }, signal: stop.signal })
    return { elf, stop: () => stop.abort() }
  }),
)

it('answers in the form that its caller demands', async () => {
  const replies = ['No idea.', '{"age":7}']
  const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
  const provider = mockProvider(() => replies.shift() ?? 'nothing')
  const { elf } = await started({ model: { provider, model: '' }, jsonSchema: schema })
  expect(await elf.wait()).toMatchObject({ text: '{"age":7}', rounds: 2 })
})

it('is closed between two events', async () => {
  const { elf } = await started({ onAsk: 'ask' })
  const events = elf.events()
  for (let step = await events.next(); step.done !== true; step = await events.next())
    if (step.value.type === 'interaction_requested') break
  await elf.close()
  expect([elf.engine.state, (await events.next()).done]).toEqual(['idle', true])
})

it('is steered by whoever pulls its events', async () => {
  const { elf } = await started({ onAsk: 'ask' })
  const seen: string[] = []
  const events = elf.events()
  let step = await events.next()
  for (; step.done !== true; step = await events.next()) {
    const { value } = step
    seen.push(value.type)
    expect(value.agentId).toBe(elf.id)
    if (value.type !== 'interaction_requested') continue
    const response = {
      interactionId: value.interaction.id,
      answeredBy: 'user_local',
      selectedOptionId: 'deny',
    }
    elf.send({ type: 'respond', response })
  }
  expect(step.value).toMatchObject({ text: 'Done.', stopReason: 'end_turn' })
  expect(seen).toEqual(expect.arrayContaining(['turn_start', 'interaction_requested', 'turn_end']))
  expect(await thrown(() => elf.events())).toMatchObject({ code: 'conflict' })
})

it('ends with the error of a handler that fails', async () => {
  const { elf } = await started({
    onQuestion: () => {
      throw new Error('nobody is here')
    },
  })
  expect(String(await thrown(() => elf.wait()))).toContain('nobody is here')
})

it('ends when nobody reads its events any more, and when its signal fires', async () => {
  const { elf } = await started({ onAsk: 'ask' })
  for await (const { type } of elf.events()) if (type === 'interaction_requested') break
  expect(elf.engine.state).toBe('idle')
  const controller = new AbortController()
  const { elf: other } = await started({ onAsk: 'ask', signal: controller.signal })
  const events = other.events()
  for (let step = await events.next(); step.done !== true; step = await events.next())
    if (step.value.type === 'interaction_requested') controller.abort()
  expect(await other.wait()).toMatchObject({ stopReason: 'aborted' })
})

it('needs a prompt, and a signal that has not fired', async () => {
  const cwd = await folderWith()
  const env = { PIPE_HOME: await folderWith() }
  expect(await thrown(() => start(' ', { cwd, env, model }))).toMatchObject({ code: 'input' })
  const signal = AbortSignal.abort()
  expect(await thrown(() => start('Hi', { cwd, env, model, signal }))).toMatchObject({ code: 'aborted' })
})
