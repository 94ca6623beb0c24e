import { join } from 'node:path'

/** Instructions of a folder for all agents. The first that has text counts. */
export const sharedNames = ['AGENTS.override.md', 'AGENTS.md']

/** Instructions of a folder for one other agent, which are often the same. */
export const peerNames = ['CLAUDE.md', '.claude/CLAUDE.md']

/** The folder of a folder's rules. */
export const peerRules = '.claude/rules'

/** Names the file of one person's own instructions for a folder. It counts last. */
export const localName = 'CLAUDE.local.md'

/** Counts only in a folder without any other instructions. */
export const lonelyName = 'GEMINI.md'

/** A path with a hidden name, which may hold secrets. Folders of instructions are none. */
export const hiddenPath = /(^|\/)\.(?!(claude|agents|pipe|github|codex|gemini|cursor)\/)[^/]/

/** A folder of the user with instructions for another agent. */
export interface PeerHome {
  readonly folder: string
  /** The first that has text counts. */
  readonly names: readonly string[]
  /** The folder of its rules. */
  readonly rules?: string
}

/** The folders of other agents in the user's home. The last is read only if no other instructions of the user were found. */
export function peerHomes(home: string): readonly [...PeerHome[], PeerHome] {
  return [
    { folder: join(home, '.claude'), names: ['CLAUDE.md'], rules: 'rules' },
    { folder: join(home, '.codex'), names: sharedNames },
    { folder: join(home, '.gemini'), names: [lonelyName] },
  ]
}
