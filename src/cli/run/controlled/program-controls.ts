import { peerModeWords, readPermissionMode } from '../../../config/permission-mode.ts'
import type { LocalConversation } from '../../../conversation.ts'
import { PipeError } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { ControlledConversation } from '../../../line/controlled/controlled-turns.ts'
import type { ProgramServers } from '../../../line/controlled/program-servers.ts'
import { levelOfTokens, thinkingLevels } from '../../../model.ts'
import type { ThinkingLevel } from '../../../provider.ts'
import type { RunContext } from '../../run-context.ts'
import type { ServerChanges } from '../../wiring/servers/server-changes.ts'
import type { Wired } from '../../wiring/wired.ts'
import { nameConversation } from '../named-conversation.ts'
import { serverFacts, sessionFacts, skillFacts } from './conversation-facts.ts'
import { appliedOf, requireSame } from './initialize.ts'
import type { ReportedConversation } from './peer-reporter.ts'
import { isPeerProtocol } from './protocol.ts'
import { rewindFiles } from './rewind-files.ts'

export interface ProgramControlsOptions extends RunContext {
  readonly conversation: LocalConversation
  /** The first request of the program, if it began with one. */
  readonly initialize: JsonObject | undefined
  readonly reported: ReportedConversation
  readonly servers: ProgramServers
}

/** Gives a program what it may ask of an open conversation. */
export function programControls(
  wired: Wired,
  options: ProgramControlsOptions,
): ControlledConversation['controls'] {
  const { host, flags, signal, conversation, initialize, reported, servers } = options
  const firstLevel = wired.thinking.level()
  const setLevel = (level: ThinkingLevel | undefined) => {
    if (level !== undefined) wired.thinking.set(level)
  }
  return {
    describe: async (request) => {
      requireSame(request, initialize)
      return { ...(await sessionFacts(wired, host)), ...appliedOf(initialize) }
    },
    servers: async () => serverFacts(wired),
    skills: () => skillFacts(wired),
    readMode: readPermissionMode,
    wordOf: (mode) => (isPeerProtocol(flags) ? peerModeWords[mode] : mode),
    firstModel: wired.model(),
    think: (tokens) => setLevel(tokens === undefined ? firstLevel : levelOfTokens(tokens)),
    thinkAt: (word) => setLevel(word === undefined ? firstLevel : levelNamed(word)),
    setServers: async (named) => ({ ...(await changesOf(wired).set(named, signal)) }),
    reconnect: (name) => changesOf(wired).reconnect(name, signal),
    turnServer: (name, isOn) => changesOf(wired).turn(name, isOn, signal),
    rename: async (title) => void (await nameConversation(title, wired)),
    hearServer: (name, message) => servers.take(name, message),
    rewind: (id, { isTrial }) => {
      const [own] = [...reported.givenIds].find(([, given]) => given === id) ?? [id]
      return rewindFiles(own, { host, wired, conversation, isTrial, signal })
    },
  }
}

function changesOf({ serverChanges }: Pick<Wired, 'serverChanges'>): ServerChanges {
  if (serverChanges === undefined) throw new PipeError('input', 'no MCP servers may run here')
  return serverChanges
}

function levelNamed(word: string): ThinkingLevel {
  const level = thinkingLevels.find((one) => one === (word === 'max' ? 'xhigh' : word))
  if (level === undefined) throw new PipeError('usage', `there is no thinking level ${JSON.stringify(word)}`)
  return level
}
