import { expect, it } from 'vitest'
import { CurrentModel } from '../../../../src/cli/wiring/model/current-model.ts'
import { controlModels } from '../../../../src/cli/wiring/model/model-controls.ts'
import type { Command } from '../../../../src/engine.ts'
import { answers, choose } from '../../../support/models/choices.ts'

const fast = choose('a/fast', [answers('ok')])
const strong = choose('a/strong', [answers('ok')])
const request = { text: 'hello', hasAttachments: false }

/** Controls the model of an engine that keeps its commands. */
function controlled(decide?: ConstructorParameters<typeof CurrentModel>[1]) {
  const current = new CurrentModel(fast, decide)
  const sent: Command[] = []
  const controls = controlModels(
    {
      current,
      open: async () => strong,
      contextWindow: () => undefined,
      isBlind: () => true,
    },
    { send: (command) => sent.push(command) },
  )
  return { current, controls, sent }
}

it('is decided by the first request alone, and the engine learns it', () => {
  const { controls, sent } = controlled(() => strong)
  expect([controls.model(), controls.blindModel()]).toEqual(['a/fast', undefined])
  controls.decide(request)
  controls.decide(request)
  expect([controls.model(), controls.blindModel()]).toEqual(['a/strong', 'a/strong'])
  expect(sent).toEqual([{ type: 'set_model', choice: strong }])
})

it('that the user chose is not decided by a request', async () => {
  const { controls, sent } = controlled(() => fast)
  expect(await controls.openModel('a/strong')).toBe(strong)
  controls.decide(request)
  expect([controls.model(), sent]).toEqual(['a/strong', []])
})

it('keeps its thinking, which the engine learns at once', () => {
  const { current, controls, sent } = controlled(() => strong)
  controls.thinking.set('high')
  controls.decide(request)
  const choice = { ...fast, thinking: 'high' }
  expect([controls.thinking.level(), current.choice, sent]).toEqual([
    'high',
    choice,
    [{ type: 'set_model', choice }],
  ])
})
