import { expect, it } from 'vitest'
import { requireEngineCommand } from '../../../src/cli/library/command-shape.ts'
import { thrown } from '../../support/thrown.ts'
import { untyped } from '../../support/untyped.ts'

it.each([
  [undefined, 'send: expected a command'],
  ['interrupt', 'send: expected a command'],
  [{ type: 'nope' }, 'send: type: '],
  [{ type: 'steer' }, 'send: message: '],
  [{ type: 'respond' }, 'send: response: '],
  [{ type: 'take_back' }, 'send: messageId: '],
  [{ type: 'set_model', choice: { model: 'm' } }, 'send: choice.provider: '],
  [{ type: 'compact', keep: 3 }, 'send: keep: '],
])('refuses %j', async (command, fault) => {
  const error = await thrown(async () => requireEngineCommand(untyped(command)))
  expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(fault) })
})

it('takes commands with what they need', () => {
  requireEngineCommand({ type: 'interrupt' })
  requireEngineCommand({ type: 'compact' })
  requireEngineCommand({ type: 'compact', keep: 'the names' })
})
