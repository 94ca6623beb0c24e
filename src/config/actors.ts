import { type Actor, type ActorKind, actorKinds, type Capability, capabilities, localUser } from '../actor.ts'
import { isJsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Settings } from './settings-schema.ts'

/** Ids of users and agents. */
export const userPattern = /^user_[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
export const agentPattern = /^agent_[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Whether an id is one of an actor, of this kind if one is given. */
export function isActorId(id: string, kind?: ActorKind): boolean {
  return (kind !== 'agent' && userPattern.test(id)) || (kind !== 'human' && agentPattern.test(id))
}

/** Whether the keys of these actors are ids of actors, of the kind that each entry gives, if it gives one. */
export function haveKindsOfIds(actors: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(actors).every(([id, actor]) => {
    const kind = isJsonObject(actor) ? actorKinds.find((one) => one === actor['kind']) : undefined
    return isActorId(id, kind)
  })
}

type ActorSettings = Pick<Settings, 'actor' | 'actors'>

/** Returns an actor as the settings describe it. One without an entry has all capabilities. */
export function readActor(id: string, { actors = {} }: ActorSettings): Actor {
  const known = Object.hasOwn(actors, id) ? actors[id] : undefined
  const kind = id.startsWith('user_') ? 'human' : 'agent'
  return {
    id,
    kind,
    displayName: known?.display_name ?? id.replace(/^(user|agent)_/, ''),
    capabilities: known?.capabilities ?? capabilities,
    ...omitUndefined({ defaultAgentId: known?.default_agent_id }),
  }
}

/** Returns the user at the front end. */
export function readUser(settings: ActorSettings): Actor {
  return readActor(settings.actor ?? localUser, settings)
}

/** Returns the capabilities that all of these actors have. */
export function sharedCapabilities(ids: readonly string[], settings: ActorSettings): readonly Capability[] {
  const all = ids.map((id) => readActor(id, settings).capabilities)
  return capabilities.filter((one) => all.every((some) => some.includes(one)))
}
