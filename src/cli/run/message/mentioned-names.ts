import { mentions } from '../../../frontend/mentions.ts'
import type { ContentBlock } from '../../../message.ts'
import type { MentionedSessions } from '../../wiring/session/mentioned-sessions.ts'
import type { ServerMentions } from '../../wiring/tools/server-mentions.ts'
import type { Wired } from '../../wiring/wired.ts'
import { calledSkill } from './called-skill.ts'
import type { PathBase } from './mentioned-path.ts'
import type { KnownSkills } from './skill-list.ts'

/** An agent, an earlier session or material of an MCP server that a prompt mentions, with what the model is told about it. */
export interface MentionedName {
  /** Names it for the user. */
  readonly name: string
  /** The file that it was read from, if the rules may hide it. */
  readonly path?: string
  readonly block: ContentBlock
  /** Its other blocks, such as images. */
  readonly more?: readonly ContentBlock[]
  /** The turn of the message has work to do for it. */
  readonly hasWork?: true
  /** A text that mentions files, too. */
  readonly mentions?: string
}

/** The parts of a conversation that know such names. */
export interface KnownNames {
  readonly agents?: Wired['agents'] | undefined
  readonly mentionedSessions?: Pick<MentionedSessions, 'of'> | undefined
  readonly serverMentions?: Pick<ServerMentions, 'of'> | undefined
  readonly skills?: KnownSkills | undefined
}

/**
 * Returns the agents of `@agent:NAME`, if the model can start any, the sessions of `@session:ID` and what MCP servers hold that were
 * read, and the skill of `/skill:NAME` at the beginning. Throws `input` for a skill that does not exist.
 */
export function mentionedNames(
  prompt: string,
  { agents, mentionedSessions, serverMentions, skills }: KnownNames,
  base: PathBase,
): readonly MentionedName[] {
  const named = agents === undefined ? [] : mentions(prompt).flatMap(agentIn)
  const sessions = mentionedSessions?.of(prompt) ?? []
  const material = serverMentions?.of(prompt) ?? []
  const skill = skills && calledSkill(prompt, skills, base)
  return [
    ...(skill === undefined ? [] : [skill]),
    ...named.map((agent) => mentionedName(`agent ${agent}`, describeAgent(agent))),
    ...sessions.map(({ name, text }) => mentionedName(name, text)),
    ...material.flatMap(({ name, blocks: [block, ...more] }) =>
      block === undefined ? [] : [{ name, block, more }],
    ),
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
