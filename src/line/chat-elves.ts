import type { Engine } from '../engine.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { asElfReport, type UserMessage } from '../message.ts'
import { attendElves } from './background-elves.ts'
import type { Chat } from './chat-command.ts'
import { note } from './chat-notes.ts'
import { answer } from './question.ts'
import { Lines, showActivity } from './text.ts'

/** Asks questions one after the other: a turn and elves in the background may ask at once. */
export class Asking {
  /** Results of elves that came too late for their turn. */
  readonly late: UserMessage[] = []
  readonly #chat: Chat
  #last: Promise<unknown> = Promise.resolve()

  constructor(chat: Chat) {
    this.#chat = chat
  }

  ask(question: Interaction, signal: AbortSignal): Promise<InteractionResponse> {
    const asked = this.#last.then(() => answer(question, this.#chat.typed.answer, signal))
    this.#last = asked.catch(() => undefined)
    return asked
  }
}

/** Runs a turn, and meanwhile shows the elves in the background, asks their questions, and passes their results on. */
export async function withElves<T>(
  turn: () => Promise<T>,
  {
    engine,
    asking,
    onEvent,
    ...chat
  }: Chat & {
    readonly engine: Engine
    readonly asking: Asking
    readonly onEvent: (event: AgentEvent) => void
  },
): Promise<T> {
  const { elves } = chat.conversation.view()
  if (elves === undefined) return turn()
  const over = new AbortController()
  const handlers = {
    onEvent,
    onQuestion: (question: Interaction) => asking.ask(question, chat.signal),
    onReport: (text: string) => {
      const message = reportOf(text, chat)
      if (over.signal.aborted) asking.late.push(message)
      else engine.send({ type: 'steer', message })
      return true
    },
  }
  const attending = attendElves(elves, handlers, over.signal)
  try {
    return await turn()
  } finally {
    over.abort()
    await attending
  }
}

/** Waits for the result of an elf in the background, to send it to the model. `undefined` if none works, or the user goes on. */
export async function nextReport(chat: Chat, asking: Asking): Promise<UserMessage | undefined> {
  const { elves } = chat.conversation.view()
  const { typed, stdout, stderr } = chat
  const late = asking.late.shift()
  if (late !== undefined) return late
  if (elves?.isBusy !== true) return undefined
  note('pipe: an elf works in the background; type a line, or press Ctrl+C, to go on meanwhile', chat)
  const lines = new Lines(stdout, stderr)
  let report: UserMessage | undefined
  await typed.stoppable(chat.signal, (stop) => {
    const goOn = async (line: string) => {
      typed.putBack(line)
      stop.abort()
    }
    const handlers = {
      onEvent: (event: AgentEvent) => showElf(event, lines),
      onQuestion: (question: Interaction) => asking.ask(question, chat.signal),
      onReport: (text: string) => {
        report = reportOf(text, chat)
        return false
      },
    }
    return typed.during(goOn, () => attendElves(elves, handlers, stop.signal))
  })
  return report
}

/** Shows the end of an elf. Its other events are its own. */
export function showElf(event: AgentEvent, lines: Lines): void {
  if (event.type === 'elf_end') showActivity(event, lines)
}

function reportOf(text: string, { conversation, signal }: Chat): UserMessage {
  return asElfReport(conversation.abilities(signal).compose(text))
}
