import { describe, expect, it, onTestFinished } from 'vitest'
import type { Interaction } from '../../../src/interaction.ts'
import { calls, round, says } from '../../support/conversations/agent.ts'
import { asks } from '../../support/conversations/questions.ts'
import { scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { serveParts } from '../../support/live/served.ts'
import { openServedConversation } from '../../support/live/served-conversation.ts'
import { watch } from '../../support/live/watching.ts'
import { countingIds } from '../../support/messages/ids.ts'

const options = [
  { id: 'allow', label: 'Yes' },
  { id: 'deny', label: 'No', isDefault: true },
]

/** Serves a session whose model asks this, and returns a function that answers it, and one that waits for the result. */
async function asking(question: Partial<Interaction>) {
  const executor = scriptedTools({ ask: asks('Well?', question) })
  const setup = { rounds: [round(calls('1', 'ask')), round(says('Done.'))], executor }
  const served = await serveParts({
    open: async () => openServedConversation(countingIds().session(), setup),
  })
  const { id } = (await served.call('POST', '/v1/sessions')).json as { readonly id: string }
  const watching = await watch(served, `/v1/sessions/${id}/events`)
  onTestFinished(() => watching.close())
  await served.call('POST', `/v1/sessions/${id}/messages`, { text: 'go' })
  const { interaction } = (await watching.untilType('interaction_requested')).json
  const answer = async (fields: object) => {
    const response = { interaction_id: interaction.id, ...fields }
    const { status, json } = await served.call('POST', `/v1/sessions/${id}/commands`, {
      type: 'respond',
      response,
    })
    return [status, json]
  }
  const result = async () => (await watching.untilType('tool_end')).json.content
  return { answer, result }
}

describe.each(['confirm_risky_action', 'assign_subtask'] as const)(
  'an answer to a question to %s',
  (purpose) => {
    it('is refused if it chooses no option, and the question stays open', async () => {
      const { answer, result } = await asking({ kind: 'select', purpose, options })
      const refusal = {
        code: 'INVALID_REQUEST',
        message: 'no option is chosen: choose allow, deny',
        details: { field: 'response.selected_option_id', reason: 'choose allow, deny' },
      }
      for (const fields of [{}, { input_value: 'allow' }, { comment: 'not on Fridays' }])
        expect(await answer(fields)).toEqual([400, refusal])
      expect(await answer({ selected_option_id: 'allow' })).toEqual([200, {}])
      expect(await result()).toEqual([{ type: 'text', text: 'allow' }])
    })

    it('may be that none comes', async () => {
      const { answer, result } = await asking({ kind: 'select', purpose, options })
      expect(await answer({ cancelled: true })).toEqual([200, {}])
      expect(await result()).toEqual([{ type: 'text', text: 'cancelled' }])
    })
  },
)

describe('an answer to another question', () => {
  it('may be in words instead of an option', async () => {
    const { answer, result } = await asking({ kind: 'select', options })
    expect(await answer({ input_value: 'later' })).toEqual([200, {}])
    expect(await result()).toEqual([{ type: 'text', text: 'later' }])
  })
})
