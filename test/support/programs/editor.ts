import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import {
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type McpServer,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { onTestFinished } from 'vitest'
import type { World } from './world.ts'
import { programWords } from './world.ts'

export interface EditorOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly capabilities?: ClientCapabilities
  /** Answers each question about a call, or waits. Default: the first option. */
  readonly permit?: (
    asked: RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<RequestPermissionResponse> | RequestPermissionResponse
  /** The texts of files that are open, by path; those that are written are added. */
  readonly buffers?: Map<string, string>
  /** Answers each form. Default: cancels it. */
  readonly fill?: (asked: CreateElicitationRequest) => CreateElicitationResponse
}

/** Starts `pipe acp` in a world, and connects the client of the protocol's own package. Both end with the test. */
export async function openEditor(world: World, options: EditorOptions = {}) {
  const [file, ...args] = programWords
  const program = spawn(file, [...args, 'acp', ...(options.args ?? [])], {
    cwd: world.cwd,
    env: { ...world.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()))
  onTestFinished(async () => {
    program.stdin.end()
    program.kill('SIGTERM')
    await ended
  })
  const updates: SessionUpdate[] = []
  const known = new Set<string>()
  let early = 0
  const asked: RequestPermissionRequest[] = []
  const { permit = first } = options
  const app = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => {
      if (!known.has(params.sessionId)) early++
      updates.push(params.update)
    })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      asked.push(params)
      return permit(params, signal)
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const content = options.buffers?.get(params.path)
      if (content === undefined) throw RequestError.resourceNotFound(params.path)
      return { content }
    })
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      options.buffers?.set(params.path, params.content)
      await writeFile(params.path, params.content)
      return {}
    })
    .onRequest(
      methods.client.elicitation.create,
      ({ params }) => options.fill?.(params) ?? { action: 'cancel' },
    )
  const connection = app.connect(ndJsonStream(Writable.toWeb(program.stdin), Readable.toWeb(program.stdout)))
  const agent: ClientContext = connection.agent
  const initialized = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
  })
  const begin = async (...mcpServers: McpServer[]): Promise<NewSessionResponse> => {
    const response = await agent.request('session/new', { cwd: world.cwd, mcpServers })
    known.add(response.sessionId)
    return response
  }
  const prompt = (sessionId: string, text: string) =>
    agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  return {
    agent,
    initialized,
    begin,
    prompt,
    updates,
    asked,
    program,
    ended,
    stderr: () => stderr,
    /** Counts the updates of sessions whose id the editor did not have yet. */
    get early() {
      return early
    },
    /** The texts of all chunks of a kind, joined. */
    said: (kind: SessionUpdate['sessionUpdate'] = 'agent_message_chunk') =>
      updates.map((update) => textOf(update, kind)).join(''),
  }
}

function first({ options: [option] }: RequestPermissionRequest): RequestPermissionResponse {
  return option === undefined
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId: option.optionId } }
}

function textOf(update: SessionUpdate, kind: SessionUpdate['sessionUpdate']): string {
  if (update.sessionUpdate !== kind || !('content' in update) || update.content == null) return ''
  return 'text' in update.content ? update.content.text : ''
}
