import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { ToolCallBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { allowOnce, grants } from '../permission.ts'
import type { ChildSession, PendingQuestion } from '../session.ts'

/** A question of a running call. */
export interface CallQuestion {
  readonly interaction: Interaction
  /** The real path that the answer is about. */
  readonly judgedPath?: string
  /** The elf that asks. */
  readonly child?: ChildSession
}

/** The questions of a conversation that wait for an answer, by their calls. Those of an earlier run are asked again. */
export class OpenQuestions {
  readonly #byCall: Map<string, PendingQuestion>

  constructor(kept: readonly PendingQuestion[]) {
    this.#byCall = new Map(kept.map((question) => [question.callId, question]))
  }

  get all(): readonly PendingQuestion[] {
    return [...this.#byCall.values()]
  }

  has(callId: string): boolean {
    return this.#byCall.has(callId)
  }

  /** Opens the question of a call. Returns the one that an earlier run left open, if it is about the same. */
  async open(call: ToolCallBlock, question: CallQuestion): Promise<PendingQuestion> {
    const subject = await subjectOf(call, question)
    const kept = this.#byCall.get(call.id)
    if (kept?.subject === subject) return withoutGrant(kept)
    const { interaction, child } = question
    const opened = { callId: call.id, interaction, subject, ...omitUndefined({ child }) }
    this.#byCall.set(call.id, opened)
    return opened
  }

  childOf(callId: string): ChildSession | undefined {
    return this.#byCall.get(callId)?.child
  }

  /** Forgets all questions: the conversation goes on elsewhere. */
  clear(): void {
    this.#byCall.clear()
  }

  /** Closes the question of a call. Returns whether there was one. */
  close(callId: string): boolean {
    return this.#byCall.delete(callId)
  }
}

/** Reduces a stored answer to this one call: no file grants anything for a session or for always. */
function withoutGrant(question: PendingQuestion): PendingQuestion {
  const { response } = question
  const granting = Object.values(grants).find((id) => id === response?.selectedOptionId)
  if (response === undefined || granting === undefined) return question
  return { ...question, response: { ...response, selectedOptionId: allowOnce } }
}

/** Returns the SHA-256 of what an answer decides, without the ids that differ from run to run. */
async function subjectOf(
  { name, arguments: args }: ToolCallBlock,
  { interaction, judgedPath }: CallQuestion,
): Promise<string> {
  const { createHash } = await import('node:crypto')
  const subject = [name, args, judgedPath ?? null, withoutIds(interaction)]
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex')
}

function withoutIds({ id: _, parts, ...question }: Interaction): object {
  return { ...question, ...omitUndefined({ parts: parts?.map(withoutIds) }) }
}

/** Returns an answer to one question as an answer to the same question with other ids. */
export function readdress(
  response: InteractionResponse,
  from: Interaction,
  to: Interaction,
): InteractionResponse {
  const parts = to.parts?.flatMap((part, i) => {
    const asked = from.parts?.[i]
    const given = response.parts?.find(({ interactionId }) => interactionId === asked?.id)
    return asked === undefined || given === undefined ? [] : [readdress(given, asked, part)]
  })
  return { ...response, interactionId: to.id, ...omitUndefined({ parts }) }
}
