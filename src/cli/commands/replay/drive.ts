import { localUser } from '../../../actor.ts'
import type { LocalConversation } from '../../../conversation.ts'
import type { Turn as EngineTurn } from '../../../engine.ts'
import type { PipeError } from '../../../error.ts'
import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import type { Message, UserMessage } from '../../../message.ts'
import { type Divergence, divergenceOf, isRecordEnd } from '../../../replay/divergence.ts'
import type { RecordedSteering, RecordedTurn } from '../../../replay/recorded-turns.ts'

export interface Driving {
  readonly conversation: Pick<LocalConversation, 'run' | 'command'>
  readonly turns: readonly RecordedTurn[]
  readonly isOffline: boolean
  readonly signal: AbortSignal
  /** Returns the message to send instead of a recorded one. */
  readonly again: (message: UserMessage) => UserMessage
  /** Called before each turn, counted from 0. Returns the error that keeps it from being sent. */
  readonly onTurn: (turn: number) => Promise<PipeError | undefined>
}

/** How far a replay came. */
export interface Driven {
  /** The turns that were replayed, perhaps not to the end. */
  readonly turns: number
  /** The reason why it ended early. */
  readonly error?: PipeError
  readonly divergence?: Place & Divergence
}

interface Place {
  /** Both counted from 1. */
  readonly turn: number
  readonly round: number
}

/** Sends the messages of the user again, each where it was sent. Stops at the first failure. */
export async function drive(driving: Driving): Promise<Driven> {
  const { turns, onTurn } = driving
  for (const [i, turn] of turns.entries()) {
    const failure = await onTurn(i)
    if (failure !== undefined) return { turns: i, error: failure }
    const ended = await driveRecorded(turn, driving)
    const { error } = ended
    const rounds = ended.messages.filter(({ type }) => type === 'assistant').length
    const divergence = divergenceOf(error) ?? (driving.isOffline ? shortfall(turn, rounds, error) : undefined)
    if (divergence !== undefined) {
      return { turns: i + 1, divergence: { turn: i + 1, round: Math.max(1, rounds), ...divergence } }
    }
    if (error !== undefined && !driving.isOffline) return { turns: i + 1, error }
    if (driving.signal.aborted && error !== undefined) return { turns: i + 1, error }
  }
  return { turns: turns.length }
}

/** Returns the divergence of a turn that ended before the recorded one. */
function shortfall(
  { replies }: RecordedTurn,
  rounds: number,
  error: PipeError | undefined,
): Divergence | undefined {
  if (rounds >= replies.length) return undefined
  const came =
    error === undefined || isRecordEnd(error)
      ? 'the end of the turn'
      : `the end of the turn (${error.message})`
  return { expected: 'another round', came }
}

/** Runs one turn, and then those whose steering messages came too late for it. */
async function driveRecorded(turn: RecordedTurn, driving: Driving): Promise<EngineTurn> {
  let left = turn.steering
  const due = (round: number): readonly RecordedSteering[] => {
    const now = left.filter(({ afterRound }) => afterRound <= round)
    left = left.filter((one) => !now.includes(one))
    return now
  }
  const run = (message: UserMessage) =>
    driveOne(driving, message, (round) => {
      for (const steering of due(round))
        driving.conversation.command({ type: 'steer', message: driving.again(steering.message) })
    })
  let ended = await run(driving.again(turn.message))
  while (ended.error === undefined) {
    const [late] = left
    if (late === undefined) break
    left = left.slice(1)
    const next = await run(driving.again(late.message))
    ended = { ...next, messages: [...ended.messages, ...next.messages] }
  }
  return ended
}

/** Runs a turn, and those of steering messages that came too late for it. Returns the last one with the messages of all. */
async function driveOne(
  { conversation, isOffline, signal }: Driving,
  message: UserMessage,
  onRound: (round: number) => void,
): Promise<EngineTurn> {
  const messages: Message[] = []
  const turn = await conversation.run(message, {
    signal,
    onEvent: (event) => {
      if (event.type === 'round_start') onRound(event.round)
      if (event.type === 'message') messages.push(event.message)
    },
    onQuestion: (question) => answer(question, isOffline),
  })
  return { ...turn, messages }
}

/** Nobody is there to answer. A recorded model may repeat itself as often as it did. */
function answer({ id, options = [] }: Interaction, isOffline: boolean): InteractionResponse {
  const goesOn = isOffline && options.some((option) => option.id === 'go_on')
  const common = { interactionId: id, answeredBy: localUser }
  return goesOn ? { ...common, selectedOptionId: 'go_on' } : { ...common, cancelled: true }
}
