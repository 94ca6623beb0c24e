import type { AgentDefinition } from '../../actor.ts'

/** Folders of agents in a project or a home: the one that several programs share, and those of others. */
export const peerFolders = ['.agents/agents', '.claude/agents', '.codex/agents']

/** The folders of its agents' memories, in a home or a project. */
export const peerMemoryFolders = {
  user: '.claude/agent-memory',
  project: '.claude/agent-memory',
  local: '.claude/agent-memory-local',
} as const

/** Files in such folders that are for people, or instruct other agents. */
export const notAgents = /^(README|CHANGELOG|CONTRIBUTING|LICENSE|INDEX|AGENTS|CLAUDE)\b.*\.md$/i

/** The folder of another program's prompts, which are commands. */
export const peerPrompts = '.claude/commands'

/** The folder of its skills, in a project or a home. */
export const peerSkills = '.claude/skills'

/** The files of its settings, in a project. */
export const peerSettings = ['.claude/settings.json', '.claude/settings.local.json']

/** Stands for the folder of a skill in its text. */
export const peerSkillFolder = /\$\{CLAUDE_SKILL_DIR\}/g

/** Stands for the folder of the project there. */
export const peerProjectFolder = /\$\{(?:CLAUDE|PIPE)_PROJECT_DIR\}/g

/** Stands for the level of thinking there. */
export const peerEffort = /\$\{CLAUDE_EFFORT\}/g

/** Stands for the id of the session there. */
export const peerSessionId = /\$\{CLAUDE_SESSION_ID\}/g

/** The routes that stand for its words for sizes of models. */
const routes: ReadonlyMap<string, string> = new Map([
  ['haiku', 'fast'],
  ['sonnet', 'default'],
  ['opus', 'strong'],
  ['opusplan', 'strong'],
])

/** Reads the word of another agent for a model; `undefined` for any other text. */
export function readPeerModel(text: string): Pick<AgentDefinition, 'model' | 'route'> | undefined {
  // What follows in brackets asks for a longer context, which pipe does not choose.
  const word = text.replace(/\[[^\]]*\]$/, '')
  if (word === 'inherit' || word === 'default') return {}
  const route = routes.get(word)
  if (route !== undefined) return { route }
  if (/^claude-[\w.-]{1,100}$/.test(word)) return { model: `anthropic/${word}` }
  return /^(gpt-|codex-|o\d)[\w.-]{0,100}$/.test(word) ? { model: `openai/${word}` } : undefined
}
