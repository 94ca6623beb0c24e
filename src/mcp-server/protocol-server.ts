import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { oneLine } from '../characters/one-line.ts'
import { formOf, readForm } from '../frontend/asked-form.ts'
import { isJsonObject, textField } from '../json-value.ts'
import { visible, visibleLine } from '../terminal/visible.ts'
import type { Caller } from './caller.ts'
import type { ClientCall, ClientCallStep } from './client-call.ts'
import type { GivenCall } from './client-tool-calls.ts'

export interface ProtocolOptions {
  readonly version: string
  /** Finds the caller that a client of this name is. */
  readonly callerOf: (client: string) => Caller
  /** `modern`: of 2026-07-28 on, where each answer of the client is a request of its own. */
  readonly era: 'legacy' | 'modern'
  /** Gets errors that no client learns of. */
  readonly report: (error: unknown) => void
}

/** Questions in one call, and milliseconds for each: people answer them. */
const inputs = { maxRounds: 1_000, roundTimeoutMs: 10 * 60_000 }

/** The tools check their arguments themselves. */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'it is not checked' }),
}

/** Makes the protocol's end of one connection or request. */
export function createProtocolServer(options: ProtocolOptions): Server {
  const { version, callerOf, report } = options
  const server = new Server(
    { name: 'pipe', title: 'pipe', version },
    { capabilities: { tools: {} }, inputRequired: inputs, jsonSchemaValidator: noValidator },
  )
  server.onerror = report
  server.setRequestHandler('tools/list', async (_, ctx) => {
    const { client, canAsk } = clientOf(server, ctx)
    return { tools: await callerOf(client).list(canAsk) }
  })
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const args: unknown = params.arguments
    const about = clientOf(server, ctx)
    const given = { name: params.name, args: isJsonObject(args) ? args : {}, ...about }
    return follow(callOf(callerOf(about.client), ctx, given), ctx, options)
  })
  return server
}

/** Takes up the call that the request goes on with, with the client's answer, or begins one. */
function callOf(caller: Caller, ctx: ServerContext, made: GivenCall): ClientCall {
  const key = ctx.mcpReq.requestState<string>()
  if (key === undefined) return caller.begin(made)
  const call = caller.find(key)
  if (call === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'this call is over: make it again')
  const given = ctx.mcpReq.inputResponses ?? {}
  call.answer((question) =>
    Object.hasOwn(given, question.id)
      ? readForm(question, given[question.id], { answeredBy, show: visible })
      : undefined,
  )
  return call
}

/** Whoever answers for a client, in the audit log. */
const answeredBy = 'user_mcp_client'

/** Waits for the result of a call or its next question. A client that cancels or goes away ends it. */
async function follow(
  call: ClientCall,
  ctx: ServerContext,
  { era, report }: Pick<ProtocolOptions, 'era' | 'report'>,
): Promise<CallToolResult | InputRequiredResult> {
  const stop = () => call.abort()
  const signals = [ctx.mcpReq.signal, ...(ctx.http?.req === undefined ? [] : [ctx.http.req.signal])]
  for (const signal of signals) {
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  }
  const listenNoMore = () => {
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
  call.onNews = progressOf(ctx, report)
  let step: ClientCallStep | undefined
  try {
    step = await call.next()
  } finally {
    // In the older era the same request goes on after the answer.
    if (era === 'modern' || step?.type !== 'question') listenNoMore()
  }
  if (step.type === 'result') return step.result
  if (era === 'modern') call.awaitClient()
  const { question } = step
  const form = inputRequired.elicit({ mode: 'form', ...formOf(question, visible) })
  return inputRequired({ inputRequests: { [question.id]: form }, requestState: call.key })
}

/** Tells the client of progress if it asked for it. */
function progressOf({ mcpReq }: ServerContext, report: (error: unknown) => void): ClientCall['onNews'] {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  return (message, progress) => {
    const params = { progressToken, progress, message }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(report)
  }
}

/** Holds a client's words about itself, with each request or once at its beginning. */
function clientOf(
  server: Server,
  { mcpReq }: ServerContext,
): { readonly client: string; readonly canAsk: boolean } {
  const envelope: unknown = mcpReq.envelope
  const told = (key: string): unknown => (isJsonObject(envelope) ? envelope[key] : undefined)
  const info = told(CLIENT_INFO_META_KEY) ?? server.getClientVersion()
  const capabilities = told(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities()
  const name = (isJsonObject(info) && textField(info, 'name')) || '(without a name)'
  const forms = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined
  return {
    client: visibleLine(oneLine(name, 64)),
    // Before there were pages to open, a client said that it has forms by an empty object.
    canAsk: isJsonObject(forms) && (forms['form'] !== undefined || forms['url'] === undefined),
  }
}
