import type { KeptQueue } from '../../../agent/conversation/waiting-messages.ts'
import { findDirectories } from '../../../config/directories.ts'
import type { Layer } from '../../../config/layers.ts'
import type { MessageQueueStore } from '../../../history/message-queue.ts'
import type { Backend, OpenRequest, ServedConversation, ServedProject } from '../../../hono/backend.ts'
import { createQueueStore } from '../../../json/queue-store.ts'
import { summariseSession } from '../../../json/sessions/list.ts'
import { redactedQueues } from '../../../json/sessions/redacted-store.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Redact } from '../../../redaction/redaction.ts'
import type { LastTurn } from '../../../session.ts'
import { readChoices } from '../../choices.ts'
import { openChildren } from '../../run/child-conversation.ts'
import { driveWired } from '../../run/driven.ts'
import { requireKnownCommand } from '../../run/message/own-commands.ts'
import { prepareMessage } from '../../run/message/prepare-message.ts'
import { createTaskActions } from '../../run/tasks/stored-task-actions.ts'
import { textComposer } from '../../run/wired-conversation.ts'
import type { RunContext } from '../../run-context.ts'
import { requireModel } from '../../wiring/model/required-model.ts'
import { openUser } from '../../wiring/run-actors.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import { openSessions } from '../../wiring/session-records.ts'
import type { Wired } from '../../wiring/wired.ts'
import { wire } from '../../wiring/wiring.ts'
import { requireReady } from './readiness.ts'
import { sentComposer } from './sent-file.ts'
import { ServedModels } from './served-models.ts'
import { ServedWorktrees } from './served-worktrees.ts'

/**
 * Makes everything that the server offers, with the flags of its command for every conversation. `redact` removes secrets from messages
 * that wait; default: they are kept as they are.
 */
export function createBackend(
  { host, flags }: RunContext,
  projects: readonly ServedProject[],
  redact: Redact | undefined,
): Backend {
  const { sessions: directory } = findDirectories(host.env, host.home)
  const sessions = openSessions(host)
  const at = (project: ServedProject | undefined) => ({ ...host, ...omitUndefined({ cwd: project?.cwd }) })
  const usual = readChoices(flags, true)
  const [first] = projects
  const models = new ServedModels(at(first), usual)
  const queues = createQueueStore(directory)
  const worktrees = new ServedWorktrees({ machine: host, projects, settings: usual })
  const kept = redact === undefined ? queues : redactedQueues(queues, redact)
  return {
    projects,
    projectOf: (cwd) => worktrees.projectOf(cwd),
    inWorktree: (project, name, { signal }) => worktrees.open(project, name, signal),
    sessions,
    summary: (id, { signal }) =>
      summariseSession(id, { directory, signal, load: () => sessions.load(id, { signal }) }),
    queues: kept,
    user: async (project) => (await openUser(at(project))).id,
    open: async (request, { signal }) => {
      await worktrees.reopen(request.project, signal)
      const warnings: string[] = []
      const machine = { ...at(request.project), warn: (line: string) => void warnings.push(line) }
      const choices = choicesOf(request, usual)
      const wired = await wire({ machine, choices, signal, children: openChildren })
      const all = [...warnings, ...wired.warnings]
      const { onQuestion, leavesQueue } = request
      const queue = await keptQueue(wired, kept)
      return Object.assign(driveWired(wired, { machine, queue, leavesQueue, onQuestion }), {
        agent: wired.agent,
        warnings: all,
        prepare: async (text: string, until: AbortSignal) => prepareMessage(text, wired, until),
        requireKnownCommand: (text: string) => requireKnownCommand(text, wired, machine),
        compose: sentComposer(textComposer(wired, machine)),
        saveEnd: (turn: LastTurn) => wired.conversation.saveEnd(turn),
        changes: async (wanted: { readonly isAll: boolean; readonly signal: AbortSignal }) =>
          (await wired.fileTurns.diff({ turns: wanted.isAll ? 'all' : 1, signal: wanted.signal }))?.text,
      }) satisfies ServedConversation
    },
    onUnwatched: readOnUnwatched(flags.text('on-ask')),
    openModel: (name, options) => models.open(name, options),
    requireModel: (model, project, { signal }) => requireModel(at(project), { ...usual, model }, signal),
    models: (options) => models.list(options),
    offers: (project, options) => models.offers(at(project), options),
    tasks: (project) => createTaskActions(at(project)),
    requireReady: ({ signal }) => requireReady(at(first), usual, signal),
    close: async () => {
      models.close()
      await worktrees.close()
    },
  }
}

/** Returns the queue of a saved conversation, with what an earlier run has left. Closes the conversation if it cannot be read. */
async function keptQueue(
  { sessionId, conversation, close }: Wired,
  store: MessageQueueStore,
): Promise<KeptQueue | undefined> {
  if (sessionId === undefined) return undefined
  try {
    const written = new Set(conversation.engine.history.map(({ id }) => id))
    const queue = await store.read(sessionId)
    return { sessionId, store, left: queue.filter(({ message }) => !written.has(message.id)) }
  } catch (error) {
    await close()
    throw error
  }
}

function readOnUnwatched(word: string | undefined): Backend['onUnwatched'] {
  return word === 'deny' || word === 'stop' ? word : 'ask'
}

function choicesOf(request: OpenRequest, usual: Choices): Choices {
  const { session, model, mode, agent, moreSystemPrompt, onAsk } = request
  const { history, temperature, maxReplyTokens, thinking } = request
  return {
    ...usual,
    layers: mode === undefined ? usual.layers : [...usual.layers, modeLayer(mode)],
    session,
    onAsk,
    // A client that sends a history keeps the conversation itself.
    mayAskForTitle: usual.mayAskForTitle && history === undefined,
    model: model ?? usual.model,
    agent: agent ?? usual.agent,
    moreSystemPrompt: moreSystemPrompt ?? usual.moreSystemPrompt,
    history: history ?? usual.history,
    temperature: temperature ?? usual.temperature,
    maxReplyTokens: maxReplyTokens ?? usual.maxReplyTokens,
    thinking: thinking ?? usual.thinking,
  }
}

function modeLayer(mode: NonNullable<OpenRequest['mode']>): Layer {
  return { source: { type: 'flag', name: 'the client of the server' }, settings: { permissions: { mode } } }
}
