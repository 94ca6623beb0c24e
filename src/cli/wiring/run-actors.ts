import { type Actor, capabilities, ownAgent } from '../../actor.ts'
import { readActor, readUser, sharedCapabilities } from '../../config/actors.ts'
import type { Settings } from '../../config/settings.ts'
import { PipeError } from '../../error.ts'
import type { Machine } from '../machine.ts'
import { readAllSettings } from './read-settings.ts'
import type { Choices } from './run-choices.ts'

/** The program itself, with every capability. */
export const self: Actor = { id: ownAgent, kind: 'agent', displayName: 'pipe', capabilities }

/**
 * Returns the agent whose calls those of a conversation are. It can do at most what the settings let the program itself, this actor and
 * this agent do.
 */
export function agentOf(
  { actor, capabilities: most }: Pick<Choices, 'actor' | 'capabilities'>,
  agent: string | undefined,
  settings: Settings,
): Actor {
  const ids = [ownAgent, actor ?? [], agent === undefined ? [] : `agent_${agent}`].flat()
  const shared = sharedCapabilities(ids, settings)
  return {
    ...readActor(actor ?? ownAgent, settings),
    ...(actor !== undefined &&
      settings.actors?.[actor]?.display_name === undefined && { displayName: actor }),
    kind: 'agent',
    capabilities: most === undefined ? shared : shared.filter((one) => most.includes(one)),
  }
}

/** Reads who the user at the front end is. Throws `config`. */
export async function openUser(machine: Pick<Machine, 'cwd' | 'env' | 'home'>): Promise<Actor> {
  const { settings } = await readAllSettings(machine, { layers: [], trusts: false })
  return readUser(settings)
}

/** Returns the user. Throws `permission` if they may not put tasks on the board. */
export async function openTaskAuthor(machine: Pick<Machine, 'cwd' | 'env' | 'home'>): Promise<Actor> {
  const user = await openUser(machine)
  if (user.capabilities.includes('create_task')) return user
  throw new PipeError('permission', `${user.id} may not create tasks: its capabilities lack create_task`, {
    details: { actor: user.id, capability: 'create_task' },
  })
}
