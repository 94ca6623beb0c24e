import type { RemoteServer, RemoteView } from '../../../attach/remote-server.ts'
import { readPermissionMode } from '../../../config/permission-mode.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { FrontendApi } from '../../../frontend/conversation-view.ts'
import type { StatusFacts } from '../../../frontend/reports/status-report.ts'
import { contextTokensOf } from '../../../history/context-use.ts'
import { textMessage } from '../../../history/new-message.ts'
import { levelsOf, type ModelInfo } from '../../../model.ts'
import type { SessionSummary } from '../../../session.ts'
import { printWarning } from '../../../terminal/output.ts'
import { promptApi } from '../../run/prompt-api.ts'
import { onStage } from '../../run/screen/open-stage.ts'
import { themeSaver } from '../../run/screen-api.ts'
import type { RunContext } from '../../run-context.ts'
import { version } from '../../version.ts'
import { lazyCatalog } from '../../wiring/model/chosen-model.ts'
import { lookOf } from '../../wiring/tools/known-tools.ts'

/** Lets the user choose a session of the server. Returns its id; `undefined` if the user leaves. Throws `input` if there is none. */
export async function pickRemote(
  server: RemoteServer,
  project: string | undefined,
  context: RunContext,
): Promise<string | undefined> {
  const { host } = context
  const rows = server.sessions(project)
  const { value: first } = await rows.next()
  if (first === undefined)
    throw new PipeError('input', `${server.name} has no sessions yet: start one with --new`)
  const { pickSession } = await import('../../../ink/choices/session-picker.ts')
  const sessions = (async function* () {
    yield first
    yield* rows
  })()
  const note = (text: string) => printWarning(host, text)
  return onStage(context, (stage) => pickSession({ ...stage, sessions, now: host.clock.now(), note }))
}

/** Shows a session of the server until the user leaves. Returns the id of the one shown last. Throws once the server is gone. */
export async function showRemote(
  server: RemoteServer,
  id: string,
  context: RunContext & { readonly settings: Settings },
): Promise<string> {
  const { runTui } = await import('../../../ink/tui.ts')
  const shown = new ShownRemote(server, await server.open(id))
  const api = await apiAt(shown, server, context)
  await onStage(
    context,
    (stage) =>
      runTui({
        ...stage,
        view: shown.view,
        api,
        watchInterrupt: context.interruption.divert,
      }),
    context.settings.tui,
  )
  return shown.view.conversation.sessionId
}

/** Holds the session on the screen and switches to others of the server. */
class ShownRemote {
  readonly #server: RemoteServer
  view: RemoteView

  constructor(server: RemoteServer, view: RemoteView) {
    this.#server = server
    this.view = view
  }

  sessions(): AsyncIterable<SessionSummary> {
    return this.#server.sessions()
  }

  async begin(): Promise<RemoteView> {
    return this.#show(await this.#server.begin({ project: this.view.project }))
  }

  async open(text: string): Promise<RemoteView> {
    const found = await this.#server.find(text)
    if (found === undefined) throw new PipeError('not_found', `${this.#server.name} has no session ${text}`)
    return this.#show(found.id)
  }

  async #show(id: string): Promise<RemoteView> {
    this.view = await this.#server.open(id)
    return this.view
  }
}

/** Functions for a session of a server. The others need its folder. */
async function apiAt(
  shown: ShownRemote,
  server: RemoteServer,
  context: RunContext & { readonly settings: Settings },
): Promise<FrontendApi> {
  const { host, settings } = context
  const catalog = await lazyCatalog(settings)()
  const factsOf = (model: string) => {
    const [provider = '', ...id] = model.split('/')
    return catalog.find(provider, id.join('/'))
  }
  return {
    ...promptApi(context, () => true),
    compose: (text) => textMessage(text, host),
    complaint: ({ error }) => error,
    knowsNoPrompts: true,
    look: lookOf,
    branch: () => undefined,
    environment: () => ({ version }),
    contextWindow: (model) => factsOf(model)?.contextWindow,
    models: async function* () {
      const names = await server.models()
      yield names.map((name) => ({ name, facts: factsOf(name) ?? {} }))
    },
    chooseModel: (name) => shown.view.conversation.setModel(name),
    thinking: {
      level: () => shown.view.conversation.settings.thinking,
      levels: () => levelsOf(factsOf(shown.view.conversation.settings.model)),
      set: (level) => shown.view.conversation.setThinking(level),
    },
    readMode: readPermissionMode,
    statusReport: async () => {
      const { statusReport } = await import('../../../frontend/reports/status-report.ts')
      return statusReport(remoteStatus(shown.view, factsOf))
    },
    saveTheme: themeSaver(context),
    setMode: (mode) => shown.view.conversation.setMode(mode),
    newConversation: () => shown.begin(),
    openConversation: (id) => shown.open(id),
    sessions: () => shown.sessions(),
    stopElf: (name) => shown.view.conversation.stopElf(name).then(() => undefined),
  }
}

/** Collects what `/status` shows of a session of a server. The rest is known there. */
function remoteStatus(
  { conversation, sessionId, agent, server }: RemoteView,
  factsOf: (model: string) => Pick<ModelInfo, 'contextWindow'> | undefined,
): StatusFacts {
  const { settings, messages, usage, costUsd } = conversation
  return {
    version,
    server,
    sessionId,
    agent,
    ...settings,
    contextTokens: contextTokensOf(messages),
    contextWindow: factsOf(settings.model)?.contextWindow,
    usage,
    costUsd,
  }
}
