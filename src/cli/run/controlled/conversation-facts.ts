import { peerModeWords } from '../../../config/permission-mode.ts'
import { compactOffer, reportOffers } from '../../../frontend/slash/compact-call.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { ServerReport } from '../../../mcp/server-pool.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Host } from '../../host.ts'
import type { Wired } from '../../wiring/wired.ts'
import { ownCommands } from '../message/own-commands.ts'
import { peerWords } from './tool-words.ts'

/** Describes a conversation as it is now, as the first line of a turn. */
export function turnFacts(wired: Wired, host: Host): JsonObject {
  const words = peerWords(host)
  return {
    cwd: host.cwd,
    model: wired.model(),
    permissionMode: peerModeWords[wired.policy.mode],
    tools: [...new Set(wired.tools().map(({ name }) => words.name(name)))],
    mcp_servers: serverStates(wired),
    slash_commands: commandsOf(wired, host).map(({ name }) => name),
    skills: wired.skills().map(({ name }) => name),
    plugins: wired.plugins.map(({ name, root }) => ({ name, path: root })),
    output_style: 'default',
    apiKeySource: 'none',
  }
}

/** Describes what there is to use. */
export async function sessionFacts(wired: Wired, host: Host): Promise<JsonObject> {
  const agents = (await wired.agents?.()) ?? []
  const model = wired.model()
  return {
    commands: commandsOf(wired, host),
    agents: agents.map(({ name, description = '' }) => ({ name, description })),
    models: [{ value: model, displayName: model, description: 'the model of this conversation' }],
    output_style: 'default',
    available_output_styles: ['default'],
    account: {},
    hooks_applied: true,
    hook_on_failure_supported: true,
  }
}

/** Describes the skills as they are on disk now, by which a message may call them. */
export function skillFacts(wired: Pick<Wired, 'skills'>): JsonObject {
  const skills = wired.skills().map(({ name, description }) => ({ name, description, argumentHint: '' }))
  return { skills }
}

/** Describes how the MCP servers stand, with their tools as far as they are known. */
export function serverFacts({ servers }: Pick<Wired, 'servers'>): JsonObject {
  return {
    mcpServers: (servers?.reports() ?? []).map(({ name, state, isOff }) => ({
      name,
      status: isOff === true ? 'disabled' : serverWords[state.type],
      ...(state.type === 'failed' && { error: state.reason }),
      ...(state.type === 'ready' && {
        tools: state.tools.map((tool) => ({
          name: tool.name,
          ...omitUndefined({ description: tool.description }),
        })),
      }),
    })),
  }
}

function serverStates({ servers }: Pick<Wired, 'servers'>): readonly JsonObject[] {
  return (servers?.reports() ?? []).map(({ name, state, isOff }) => ({
    name,
    status: isOff === true ? 'disabled' : serverWords[state.type],
  }))
}

/** A server that was not needed yet is started at its first use. */
const serverWords: Readonly<Record<ServerReport['state']['type'], string>> = {
  idle: 'pending',
  starting: 'pending',
  ready: 'connected',
  failed: 'failed',
}

function commandsOf(wired: Wired, { cwd, home }: Host) {
  const own = ownCommands(wired, { cwd, home })
  return [compactOffer, ...reportOffers, ...own].map(({ name, description, hint = '' }) => ({
    name,
    description,
    argumentHint: hint,
  }))
}
