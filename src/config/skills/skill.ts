import type { Plugin } from '../../machine/plugin.ts'
import type { InstructionAsks } from './instruction-asks.ts'

/** Instructions for a kind of work: a folder with a SKILL.md. */
export interface Skill {
  /** As it is called: letters, digits, `_`, `-` and `:`. */
  readonly name: string
  /** One line. May be longer than the format allows. */
  readonly description: string
  readonly source: 'user' | 'project' | 'plugin'
  /** The file. Absolute; the files that it speaks of lie beside it. */
  readonly path: string
  /** The text below the fields. */
  readonly body: string
  /** Whether the model may be told about it. */
  readonly isForModel: boolean
  /** Whether the user can call it. */
  readonly isForUser: boolean
  /** Shows what words it takes. */
  readonly hint?: string
  /** Names of its words, in their order. */
  readonly parameters?: readonly string[]
  /** Globs of the files that it is about: the model is told of it once work goes to one. Absent: from the start. */
  readonly globs?: readonly string[]
  /** Absent if its file asks for nothing but its text. */
  readonly asks?: InstructionAsks
  /** The plugin that brings it. */
  readonly plugin?: Plugin
}

/** Says what is wrong with a file of a skill or command, or what of it has no effect. */
export interface SkillNote {
  readonly path: string
  /** Begins with the line if there is one: `4: …`. */
  readonly text: string
  /** `unusable`: it is left out. `fault`: it breaks the format. `note`: all is as it should be, but not all has an effect here. */
  readonly kind: 'unusable' | 'fault' | 'note'
}
