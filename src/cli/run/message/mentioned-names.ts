import { mentions } from '../../../frontend/mentions.ts'
import type { ContentBlock } from '../../../message.ts'
import type { MentionedSessions } from '../../wiring/session/mentioned-sessions.ts'
import type { Wired } from '../../wiring/wired.ts'

/** An agent or an earlier session that a prompt mentions, with what the model is told about it. */
export interface MentionedName {
  /** Names it for the user. */
  readonly name: string
  readonly block: ContentBlock
}

/** The parts of a conversation that know such names. */
export interface KnownNames {
  readonly agents?: Wired['agents'] | undefined
  readonly mentionedSessions?: Pick<MentionedSessions, 'of'> | undefined
}

/** Returns the agents of `@agent:NAME`, if the model can start any, and the sessions of `@session:ID` that were read. */
export function mentionedNames(
  prompt: string,
  { agents, mentionedSessions }: KnownNames,
): readonly MentionedName[] {
  const named = agents === undefined ? [] : mentions(prompt).flatMap(agentIn)
  const sessions = mentionedSessions?.of(prompt) ?? []
  return [
    ...named.map((agent) => mentionedName(`agent ${agent}`, describeAgent(agent))),
    ...sessions.map(({ name, text }) => mentionedName(name, text)),
  ]
}

/** Reads the name of an agent as its definition may have it. */
function agentIn(word: string): readonly string[] {
  return /^agent:([\w-]{1,64})$/.exec(word)?.slice(1) ?? []
}

function describeAgent(name: string): string {
  return `<agent name="${name}">The user names this agent for the work: give it to an elf with agent "${name}".</agent>`
}

function mentionedName(name: string, text: string): MentionedName {
  return { name, block: { type: 'text', text } }
}
