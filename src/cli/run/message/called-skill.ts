import type { TextBlock } from '../../../message.ts'
import type { CalledFile } from '../../wiring/called/called-file.ts'
import { calledFile } from '../../wiring/called/called-file.ts'
import { skillParts, skillText } from '../../wiring/skills/skill-text.ts'
import type { Wired } from '../../wiring/wired.ts'
import type { PathBase } from './mentioned-path.ts'
import { withoutMentionsOutside } from './own-commands.ts'

/** A skill or command that the user calls, with what the model is told. */
export interface CalledSkill extends Pick<CalledFile, 'path'> {
  /** Names it for the user. */
  readonly name: string
  readonly block: TextBlock
  /** The turn of the message does what the file asks for. */
  readonly hasWork?: true
  /** A text that mentions files, too. */
  readonly mentions?: string
}

/** The parts of a conversation that know what can be called. */
export type Callable = Pick<Wired, 'skills'> & Partial<Pick<Wired, 'prompts' | 'called'>>

/**
 * Returns the skill or command that a message calls, with its text; what stands for the text if it follows later. Throws `input` for a
 * skill that the user cannot call.
 */
export function calledSkill(prompt: string, known: Callable, base: PathBase): CalledSkill | undefined {
  const { called } = known
  const file = calledFile(prompt, called === undefined ? { skills: known.skills } : known)
  if (file === undefined) return undefined
  const { kind, path, words } = file
  const text = called?.blockOf(file) ?? skillText(file, { words })
  return {
    name: `${kind} ${file.name}`,
    path,
    block: { type: 'text', text },
    ...(called !== undefined && file.asks !== undefined && { hasWork: true }),
    ...(kind === 'command' && { mentions: mentionsOf(file, base) }),
  }
}

/** Returns what may mention files in the text of a command, without the commands in it. */
function mentionsOf(file: CalledFile, base: PathBase): string {
  const { root, words, body } = file
  const own = root === undefined ? body : withoutMentionsOutside(body, root, base)
  return skillParts({ ...file, body: own }, { words })
    .map((part) => (part.type === 'text' ? part.text : ' '))
    .join('')
}
