import { findDirectories } from '../../config/directories.ts'
import { type LayeredSettings, sourceOf } from '../../config/layers.ts'
import { readModelRoute } from '../../config/models/route-models.ts'
import type { StatusFacts } from '../../frontend/reports/status-report.ts'
import { isSessionId } from '../../id.ts'
import { sessionPath } from '../../json/sessions/session-lock.ts'
import { belowHome } from '../../machine/path.ts'
import type { ServerReport } from '../../mcp/server-pool.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { version } from '../version.ts'
import { hooksOfRun } from '../wiring/hooks/hooks-of-run.ts'
import { readUsable } from '../wiring/hooks/open-hooks.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import type { ConversationHolder } from './conversation-holder.ts'
import { environmentInfo } from './screen/environment-info.ts'

/** Collects what `/status` shows of the open conversation. Throws `config`. */
export async function statusFacts(
  context: RunContext,
  holder: Pick<ConversationHolder, 'view' | 'wired'>,
): Promise<StatusFacts> {
  const { host, flags } = context
  const { wired } = holder
  const { conversation, sessionId, agent, mode = 'default' } = holder.view()
  const loaded = await readAllSettings(host, readOwnSettings(flags))
  const { folder, instructions } = environmentInfo(host, wired)
  const use = conversation.contextUse()
  return {
    version,
    sessionId,
    sessionFile: sessionId && fileOf(sessionId, host),
    title: wired.conversation.title,
    agent,
    model: wired.model(),
    modelOrigin: originWords(wired.modelOrigin(), { loaded, context, agent }),
    thinking: wired.thinking.level(),
    mode,
    sandbox: (await wired.sandbox()) ?? 'off',
    folder,
    isTrusted: wired.trust.isTrusted,
    instructions,
    servers: (wired.servers?.reports() ?? []).map(serverWords),
    hooks: await hooksIn(context, loaded),
    contextTokens: use.tokens,
    contextWindow: use.window,
    usage: conversation.usage,
    costUsd: conversation.costUsd,
  }
}

function fileOf(id: string, { env, home }: RunContext['host']): string | undefined {
  return isSessionId(id)
    ? belowHome(sessionPath(findDirectories(env, home).sessions, id, '.json'), home)
    : undefined
}

function originWords(
  origin: ReturnType<ConversationHolder['wired']['modelOrigin']>,
  { loaded, context, agent }: { loaded: LayeredSettings; context: RunContext; agent: string | undefined },
): string {
  const { flags, host } = context
  switch (origin) {
    case 'run':
      return flags.has('model') || agent === undefined ? '-m' : `the agent ${agent}`
    case 'session':
      return 'the session'
    case 'settings': {
      const { layers, settings } = loaded
      const route = settings.model ?? 'default'
      const named =
        sourceOf(layers, ({ model }) => model) ?? sourceOf(layers, ({ routes }) => routes?.[route])
      const name = named === undefined ? 'the settings' : belowHome(named.name, host.home)
      return readModelRoute(route, settings).length === 0 ? name : `the route ${route} in ${name}`
    }
    case 'key':
      return 'the first provider with a key'
    case 'server':
      return 'the first local server that answered'
    case 'user':
      return '/model'
  }
}

function serverWords({ name, state, isOff }: ServerReport): string {
  if (isOff === true) return `${name} (off)`
  return state.type === 'ready'
    ? `${name} (${state.tools.length} tools)`
    : `${name} (${stateWords[state.type]})`
}

const stateWords = { idle: 'not started', starting: 'starting', failed: 'failed' } as const

async function hooksIn({ host }: RunContext, loaded: LayeredSettings): Promise<StatusFacts['hooks']> {
  const { files } = await hooksOfRun(host, loaded)
  const read = files.map((file) => ({ ...file, usable: readUsable(file, host).hooks }))
  return {
    events: read
      .filter(({ isApproved }) => isApproved)
      .flatMap(({ usable }) => usable.map(({ event }) => event)),
    unapproved: read.filter(({ isApproved }) => !isApproved).flatMap(({ usable }) => usable).length,
  }
}
