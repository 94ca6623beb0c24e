import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import type { NewId } from '../id.ts'
import type { ToolFacts } from '../tool.ts'
import { type CallWork, ClientCall } from './client-call.ts'
import { ClientToolCalls, type GivenCall } from './client-tool-calls.ts'
import { failedResult, listTool } from './given-tool.ts'
import { readRunArguments, runForClient, runName, runTool } from './run-tool.ts'
import type { RunRequest, ServedAgent } from './served-agent.ts'

export interface CallerOptions {
  readonly agent: ServedAgent
  /** Whether clients are given a tool; `run` is one. */
  readonly gives: (tool: Pick<ToolFacts, 'name'>) => boolean
  /** Whether a client may go on with sessions that it has not begun, as the user who started it may. */
  readonly seesAll: boolean
  readonly newId: NewId
  readonly clock: Clock
  /** Creates a word that nobody can guess. */
  readonly newKey: () => string
}

/** A UUID: the beginning of an id would find a session of somebody else. */
const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Calls of one client at once. */
const mostCalls = 64

/** One client: its calls, their conversation and the sessions it has begun. Whoever makes it closes it. */
export class Caller {
  readonly #options: CallerOptions
  readonly #leaving = new AbortController()
  readonly #calls = new Map<string, ClientCall>()
  readonly #sessions = new Set<string>()
  /** By whether the client can ask its user. */
  readonly #toolCalls = new Map<boolean, ClientToolCalls>()

  constructor(options: CallerOptions) {
    this.#options = options
  }

  get version(): string {
    return this.#options.agent.version
  }

  /** Whether a call runs or waits for an answer. */
  get isBusy(): boolean {
    return this.#calls.size > 0
  }

  async list(canAsk: boolean): Promise<ListedTool[]> {
    const { gives } = this.#options
    const tools = await this.#toolCallsOf(canAsk).tools()
    const given = tools.filter((tool) => gives(tool) && tool.needsUser !== true)
    return [...given.map(listTool), ...(gives({ name: runName }) ? [runTool] : [])]
  }

  /** Begins a call. Whoever waits for it also aborts it. Failures become its result. */
  begin(call: GivenCall): ClientCall {
    const { newKey, clock } = this.#options
    const open = new ClientCall({ key: newKey(), clock }, (work) => this.#carryOut(call, work))
    this.#calls.set(open.key, open)
    const leave = () => open.abort()
    this.#leaving.signal.addEventListener('abort', leave, { once: true })
    if (this.#leaving.signal.aborted) leave()
    void open.ended.then(() => {
      this.#calls.delete(open.key)
      this.#leaving.signal.removeEventListener('abort', leave)
    })
    return open
  }

  /** Finds a call that waits for an answer. */
  find(key: string): ClientCall | undefined {
    return this.#calls.get(key)
  }

  /** Ends its calls and all that they started. May be called repeatedly. */
  async close(): Promise<void> {
    this.#leaving.abort()
    await Promise.all([...this.#calls.values()].map(({ ended }) => ended))
    await Promise.all([...this.#toolCalls.values()].map((calls) => calls.close()))
  }

  async #carryOut(call: GivenCall, work: CallWork): Promise<CallToolResult> {
    const { gives } = this.#options
    try {
      if (this.#calls.size >= mostCalls)
        return failedResult(`${mostCalls} calls are already running: wait for one`)
      if (!gives({ name: call.name }))
        return failedResult(`there is no tool ${JSON.stringify(call.name.slice(0, 64))}`)
      return call.name === runName
        ? await this.#run(call, work)
        : await this.#toolCallsOf(call.canAsk).run(call, work)
    } catch (error) {
      if (!isPipeError(error) || work.signal.aborted) throw error
      return failedResult(error.message)
    }
  }

  async #run({ args, canAsk }: GivenCall, work: CallWork): Promise<CallToolResult> {
    const { prompt, session, model, cwd } = readRunArguments(args)
    const request = { session: this.#sessionOf(session), model, cwd, isAttended: canAsk }
    const run = await this.#options.agent.openRun(request, { signal: work.signal })
    try {
      if (run.sessionId !== undefined) this.#sessions.add(run.sessionId)
      return await runForClient(run, prompt, work)
    } finally {
      await run.close()
    }
  }

  #sessionOf(id: string | undefined): RunRequest['session'] {
    if (id === undefined) return { type: 'new' }
    const isOwn = this.#options.seesAll || this.#sessions.has(id)
    if (isOwn && wholeId.test(id)) return { type: 'resume', id }
    throw new PipeError('not_found', 'this client has no such session: leave out session to start one')
  }

  #toolCallsOf(isAttended: boolean): ClientToolCalls {
    const { agent, newId, clock } = this.#options
    const { signal } = this.#leaving
    const calls =
      this.#toolCalls.get(isAttended) ?? new ClientToolCalls({ agent, newId, clock, isAttended, signal })
    this.#toolCalls.set(isAttended, calls)
    return calls
  }
}
