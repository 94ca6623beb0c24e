import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Clock } from '../clock.ts'
import type { AnswerQuestion } from '../conversation.ts'
import { PipeError, throwIfAborted } from '../error.ts'
import { textMessage } from '../history/new-message.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { Tool } from '../tool.ts'
import { CallingModel } from './calling-model.ts'
import type { CallWork } from './client-call.ts'
import { failedResult, listResult } from './given-tool.ts'
import type { ServedAgent, ServedCalls } from './served-agent.ts'

/** A call as the client makes it. */
export interface GivenCall {
  readonly name: string
  readonly args: JsonObject
  /** The client's name, one line. */
  readonly client: string
  /** Whether the client can ask its user. */
  readonly canAsk: boolean
}

export interface ClientToolCallsOptions {
  readonly agent: ServedAgent
  readonly newId: NewId
  readonly clock: Clock
  readonly isAttended: boolean
  /** Fires when the client is gone. */
  readonly signal: AbortSignal
}

/** A conversation in which one call runs at a time. */
interface Lane {
  state: 'free' | 'running' | 'asking'
  readonly model: CallingModel
  conversation?: Promise<ServedCalls>
}

/** Conversations of one client. More than one is opened only while a call waits for an answer, which may never come. */
const mostLanes = 8

/**
 * Carries out a client's calls of tools, one after the other, each as a turn of a conversation. Whoever makes it closes it, once its calls have
 * ended.
 */
export class ClientToolCalls {
  readonly #options: ClientToolCallsOptions
  readonly #lanes: Lane[] = []
  readonly #waiting: ((lane: Lane) => void)[] = []

  constructor(options: ClientToolCallsOptions) {
    this.#options = options
  }

  async tools(): Promise<readonly Tool[]> {
    return (await this.#open(this.#lanes[0] ?? this.#newLane())).tools
  }

  /** Throws `aborted`, and what opening a conversation throws. */
  async run(call: GivenCall, { signal, ask }: CallWork): Promise<CallToolResult> {
    const lane = await this.#take()
    try {
      throwIfAborted(signal)
      const onQuestion: AnswerQuestion = async (question, options) => {
        this.#pass(lane, 'asking')
        const answer = await ask(question, options)
        lane.state = 'running'
        return answer
      }
      return await this.#carryOut(call, lane, { signal, onQuestion })
    } finally {
      this.#pass(lane, 'free')
    }
  }

  async close(): Promise<void> {
    const opening = this.#lanes.splice(0).flatMap(({ conversation }) => conversation ?? [])
    const opened = await Promise.allSettled(opening)
    await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
  }

  async #carryOut(
    { name, args, client }: GivenCall,
    lane: Lane,
    options: { readonly signal: AbortSignal; readonly onQuestion: AnswerQuestion },
  ): Promise<CallToolResult> {
    const conversation = await this.#open(lane)
    if (conversation.tools.find((tool) => tool.name === name)?.needsUser !== undefined)
      return failedResult(`${name} is for conversations with a user`)
    lane.model.put(name, args)
    const turn = await conversation.run(
      textMessage(`The MCP client ${client} calls ${name}.`, this.#options),
      options,
    )
    throwIfAborted(options.signal)
    const answer = turn.messages.findLast((message) => message.type === 'tool_result')
    if (turn.error !== undefined) throw turn.error
    if (answer === undefined) throw new PipeError('aborted', 'interrupted')
    return listResult(answer.content, answer.isError)
  }

  /** Takes the first lane that is free. Waits for one while a call runs. */
  #take(): Promise<Lane> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#assign()
    })
  }

  #pass(lane: Lane, state: Lane['state']): void {
    lane.state = state
    this.#assign()
  }

  #assign(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    const allAsk = this.#lanes.length < mostLanes && this.#lanes.every(({ state }) => state === 'asking')
    const lane = this.#lanes.find(({ state }) => state === 'free') ?? (allAsk ? this.#newLane() : undefined)
    if (lane === undefined) return
    this.#waiting.shift()
    lane.state = 'running'
    next(lane)
  }

  #newLane(): Lane {
    const lane: Lane = { state: 'free', model: new CallingModel(this.#options) }
    this.#lanes.push(lane)
    return lane
  }

  #open(lane: Lane): Promise<ServedCalls> {
    if (lane.conversation !== undefined) return lane.conversation
    const { agent, isAttended, signal } = this.#options
    const opening = agent.openCalls({ model: lane.model.choice, isAttended }, { signal })
    lane.conversation = opening
    // The next call tries again.
    opening.catch(() => delete lane.conversation)
    return opening
  }
}
