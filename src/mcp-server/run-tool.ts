import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import { followTurns } from '../agent/conversation/follow-turns.ts'
import { WatchedQuestions } from '../agent/conversation/watched-questions.ts'
import { oneLine } from '../characters/one-line.ts'
import type { Ending, Watched } from '../conversation.ts'
import { PipeError, throwIfAborted } from '../error.ts'
import { firstText } from '../frontend/words/call-target.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { type Message, textContent, toolCalls } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { printable } from '../terminal/printable.ts'
import { encodeCost } from '../wire/message-json.ts'
import type { CallWork } from './client-call.ts'
import description from './run-tool.md'
import type { ServedRun } from './served-agent.ts'

/** Its name. */
export const runName = 'run'

const text = (about: string) => ({ type: 'string', description: about }) as const

/** The tool that runs a whole turn. */
export const runTool: ListedTool = {
  name: runName,
  title: 'Run a task with pipe',
  description: description.trim(),
  inputSchema: {
    type: 'object',
    properties: {
      prompt: text('The task, in words'),
      model: text('provider/model; default: as pipe is configured'),
      session: text('The session id of an earlier run to go on with; default: a new one'),
      cwd: text('A folder inside the served one to work in; default: the served one'),
    },
    required: ['prompt'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      answer: text('The last words of the agent'),
      session_id: text('Goes on with this run'),
      model: text('provider/model'),
      stop_reason: text('end_turn if the agent finished'),
      cost_usd: { type: 'number', description: 'US dollars, if the price is known' },
      error: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
    },
    required: ['answer', 'stop_reason'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
}

/** Arguments of `run`. */
export interface RunArguments {
  readonly prompt: string
  readonly model?: string
  readonly session?: string
  readonly cwd?: string
}

/** Reads the arguments of `run`. Throws `invalid` with the field. */
export function readRunArguments(args: JsonObject): RunArguments {
  const known = ['prompt', 'model', 'session', 'cwd']
  const unknown = Object.keys(args).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new PipeError('invalid', `run takes ${known.join(', ')}, not ${JSON.stringify(unknown)}`)
  const [prompt = '', model, session, cwd] = known.map((name) => readText(name, args[name]))
  if (prompt.trim() === '') throw new PipeError('invalid', 'run needs a prompt: the task, in words')
  return { prompt, ...omitUndefined({ model, session, cwd }) }
}

function readText(name: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw new PipeError('invalid', `${name} must be a text, not ${oneLine(JSON.stringify(value), 60)}`)
}

/** Runs a turn, and those that follow from elves in the background. Throws `aborted`, and what sending a message throws. */
export async function runForClient(
  run: ServedRun,
  prompt: string,
  { signal, ask, tell }: CallWork,
): Promise<CallToolResult> {
  const questions = new WatchedQuestions(run, ask)
  const onWatched = (watched: Watched) => {
    const news = newsOf(watched)
    if (news !== undefined) tell(printable(news))
    questions.see(watched)
    if (questions.failure !== undefined) throw questions.failure.error
  }
  const ending = await followTurns(run, run.compose(prompt), { signal, onWatched }).finally(() =>
    questions.close(),
  )
  throwIfAborted(signal)
  return resultOf(run, ending)
}

/** Words the news for a client that waits: each request to the model, each call, each question. */
function newsOf(watched: Watched): string | undefined {
  if (watched.type !== 'event' || !watched.isOwn) return undefined
  const { event } = watched
  switch (event.type) {
    case 'round_start':
      return `round ${event.round}: asks ${event.provider}/${event.model}`
    case 'tool_start':
      return oneLine(`${event.name} ${firstText(event.arguments)}`, 200)
    case 'interaction_requested':
      return oneLine(`waits for an answer: ${event.interaction.display.title}`, 200)
    case 'notice':
      return oneLine(event.text, 200)
    default:
      return undefined
  }
}

function resultOf(run: ServedRun, { stopReason, error }: Ending): CallToolResult {
  const answer = lastWords(run.messages)
  const { costUsd } = run.spent()
  const fault = error ?? (stopReason === 'end_turn' ? undefined : unfinished(stopReason))
  const said = [answer, fault && `pipe stopped: ${fault.message}`].filter(Boolean).join('\n\n')
  return {
    content: [{ type: 'text', text: said === '' ? '(no answer)' : said }],
    structuredContent: {
      answer,
      ...omitUndefined({ session_id: run.sessionId }),
      model: run.settings.model,
      stop_reason: stopReason,
      ...encodeCost(costUsd),
      ...(fault !== undefined && { error: { code: fault.code, message: fault.message } }),
    },
    ...(fault !== undefined && { isError: true }),
  }
}

function unfinished(stopReason: string): PipeError {
  return new PipeError('protocol', `the model ended with ${stopReason}`)
}

/** The last text of the agent that came without calls. */
function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.type === 'assistant' && toolCalls(message).length === 0)
  return last === undefined ? '' : textContent(last)
}
