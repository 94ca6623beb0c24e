import { messageWithoutTags } from '../../characters/tag-characters.ts'
import { PipeError, throwIfAborted } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { textMessage } from '../../history/new-message.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Agent } from '../agent.ts'
import type { RepeatedLoop, Repetition } from '../request/repetition.ts'

/**
 * Asks the user whether a model that repeats its calls may continue, must stop, or gets a message. Throws `turn_limit` if the user
 * stops it or cannot be asked; `aborted` when the signal fires.
 */
export async function* askAboutLoop(
  agent: Agent,
  repetition: Repetition,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, void, undefined> {
  const { loop } = repetition
  if (loop === undefined) return
  if (!agent.attended) throw stopped(loop)
  const interaction = question(agent, loop)
  const answered = agent.mailbox.open(interaction, signal)
  yield { type: 'interaction_requested', interaction }
  const response = await answered
  yield { type: 'interaction_responded', response }
  throwIfAborted(signal)
  const words = wordsOf(response)
  if (words === '' && response.selectedOptionId !== 'go_on') throw stopped(loop)
  if (words !== '') steer(agent, words)
  repetition.excuse()
}

function question({ newId }: Agent, { rounds, call }: RepeatedLoop): Interaction {
  return {
    id: newId.interaction(),
    kind: 'select',
    purpose: 'choose_strategy',
    display: {
      title: `The model has made the same call in ${rounds} rounds, with the same result. What should it do?`,
      description: call,
    },
    options: [
      { id: 'go_on', label: 'Continue' },
      { id: 'stop', label: 'Stop', isDefault: true },
    ],
  }
}

function wordsOf({ inputValue, comment }: InteractionResponse): string {
  return (inputValue ?? comment ?? '').trim()
}

/** Sends the model an answer in the user's own words. */
function steer(agent: Agent, words: string): void {
  agent.mailbox.steer(messageWithoutTags(textMessage(words, agent)))
}

function stopped({ rounds, tool, call }: RepeatedLoop): PipeError {
  return new PipeError(
    'turn_limit',
    `stopped: ${rounds} rounds in a row made the same calls with the same results, the last one ${call}; say what to do differently`,
    { details: { limit: 'repetition', rounds: String(rounds), ...omitUndefined({ tool }) } },
  )
}
