/** The names of all tools of pipe, those included that a run may lack. */
export const ownToolNames: readonly string[] = [
  'read',
  'write',
  'edit',
  'bash',
  'process',
  'grep',
  'glob',
  'fetch',
  'todo',
  'elf',
  'recall',
  'task',
  'ask',
  'remember',
]

/** Other agents' names for our tools, in lower case. */
const peerNames: Readonly<Record<string, string>> = {
  multiedit: 'edit',
  webfetch: 'fetch',
  todowrite: 'todo',
  bashoutput: 'process',
  killshell: 'process',
  askuserquestion: 'ask',
}

/** Finds our tool that a word names, in any case. `undefined` if there is none; tools of MCP servers keep their names. */
export function findToolName(word: string): string | undefined {
  const name = word.toLowerCase()
  // The tool of this name in other agents starts an agent.
  if (word === 'Task') return 'elf'
  if (ownToolNames.includes(name)) return name
  if (/^mcp__[\w-]{1,100}$/.test(word)) return word
  return Object.hasOwn(peerNames, name) ? peerNames[name] : undefined
}
