import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { ToolCallBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { allowOnce, grants } from '../permission.ts'
import type { ChildSession, PendingQuestion } from '../session.ts'

/** A question of a running call. */
export interface CallQuestion {
  readonly interaction: Interaction
  /** The real path that the answer is about. */
  readonly judgedPaths?: readonly string[]
  /** The elf that asks. */
  readonly child?: ChildSession
}

/** Holds the questions of one call. */
interface Asked {
  /** Questions of an earlier run that this one has not asked again, the oldest first. */
  earlier: readonly PendingQuestion[]
  /** Questions with their answers, the oldest first. */
  answered: readonly PendingQuestion[]
  /** Waits for an answer. */
  open: PendingQuestion | undefined
  /** Whether the call has asked something in this run. */
  isAsking: boolean
}

/**
 * The questions of a conversation that wait for an answer, by their calls. Those of an earlier run are asked again. A call that asks
 * several keeps the answers given so far until it ends, so that no later run asks for them again.
 */
export class OpenQuestions {
  readonly #byCall = new Map<string, Asked>()

  constructor(kept: readonly PendingQuestion[]) {
    for (const question of kept) {
      const asked = this.#of(question.callId)
      asked.earlier = [...asked.earlier, question]
    }
  }

  /** The open questions, each after those that its call has asked before. A call without an open one has none: it may be running. */
  get all(): readonly PendingQuestion[] {
    return [...this.#byCall.values()].flatMap((asked) =>
      isWaiting(asked) ? [...asked.answered, ...questionsOf(asked)] : [],
    )
  }

  /** Whether a question of the call is open. */
  has(callId: string): boolean {
    const asked = this.#byCall.get(callId)
    return asked !== undefined && isWaiting(asked)
  }

  /** Opens a question of a call. Returns the one of an earlier run, perhaps with its answer, if it is about the same. */
  async open(call: ToolCallBlock, question: CallQuestion): Promise<PendingQuestion> {
    const subject = await subjectOf(call, question)
    const asked = this.#of(call.id)
    asked.isAsking = true
    const at = asked.earlier.findIndex((one) => one.subject === subject)
    const kept = asked.earlier[at]
    // A call that asks something else than before has taken another way, so its later answers no longer count.
    asked.earlier = kept === undefined ? [] : asked.earlier.slice(at + 1)
    const { interaction, child } = question
    asked.open =
      kept === undefined
        ? { callId: call.id, interaction, subject, ...omitUndefined({ child }) }
        : withoutGrant(kept)
    return asked.open
  }

  /** The elf that asks the open question of a call. */
  childOf(callId: string): ChildSession | undefined {
    const asked = this.#byCall.get(callId)
    return asked && questionsOf(asked).find(({ child }) => child !== undefined)?.child
  }

  /** Forgets all questions: the conversation goes on elsewhere. */
  clear(): void {
    this.#byCall.clear()
  }

  /** Closes the open question of a call, which goes on with the answer. */
  answer(callId: string, response: InteractionResponse): void {
    const asked = this.#byCall.get(callId)
    if (asked?.open === undefined) return
    // An elf keeps its answers in its own session. A changed text is no answer: the next question is about it.
    if (asked.open.child === undefined && response.revisedText === undefined)
      asked.answered = [...asked.answered, { ...asked.open, response }]
    asked.open = undefined
  }

  /** Forgets the questions and answers of a call that has ended. */
  forget(callId: string): void {
    this.#byCall.delete(callId)
  }

  #of(callId: string): Asked {
    const known = this.#byCall.get(callId)
    if (known !== undefined) return known
    const asked: Asked = { earlier: [], answered: [], open: undefined, isAsking: false }
    this.#byCall.set(callId, asked)
    return asked
  }
}

function isWaiting({ earlier, open, isAsking }: Asked): boolean {
  return open !== undefined || (!isAsking && earlier.length > 0)
}

function questionsOf({ earlier, open }: Asked): readonly PendingQuestion[] {
  return open === undefined ? earlier : [open, ...earlier]
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
  { interaction, judgedPaths = [] }: CallQuestion,
): Promise<string> {
  const { createHash } = await import('node:crypto')
  const [path = null, ...others] = judgedPaths
  const subject = [name, args, others.length === 0 ? path : judgedPaths, withoutIds(interaction)]
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex')
}

/** Leaves out the call, too, which a question of an earlier run lacks: what it shows of the call is in its words. */
function withoutIds({ id: _, call: __, parts, ...question }: Interaction): object {
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
