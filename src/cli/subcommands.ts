/** Words that are commands when they come first, including those that this version lacks. */
export const subcommands = [
  'sessions',
  'audit',
  'permissions',
  'trust',
  'undo',
  'replay',
  'recall',
  'models',
  'agents',
  'auth',
  'mcp',
  'config',
  'doctor',
  'schema',
  'demo',
  'completion',
  'task',
  'elf',
  'race',
  'worker',
  'serve',
  'attach',
  'memory',
  'skills',
  'hooks',
  'plugin',
  'acp',
  'import-config',
  'help',
] as const

export type Subcommand = (typeof subcommands)[number]

const howToUpdate = 'npm install -g pipe-agent@latest updates it, or install.sh if it is one file'

/** Commands of other agents, each with what does the same here. As a first word they never begin a prompt, unless data may be meant. */
export const foreignCommands: Readonly<Record<string, string>> = {
  login: 'pipe auth set PROVIDER stores a key',
  logout: 'pipe auth remove PROVIDER deletes a key',
  init: 'the command /init in a conversation writes AGENTS.md',
  update: howToUpdate,
  upgrade: howToUpdate,
  version: 'pipe --version prints it',
  resume: 'pipe -r chooses a session, pipe -r ID continues one, pipe -c the last one',
  'setup-token': 'pipe auth set PROVIDER stores a key',
  exec: 'pipe "prompt" answers one prompt',
  review: 'pipe --agent review "prompt" reviews code',
  status: 'pipe doctor reports what works, pipe auth status the keys',
}

/** Names the ones that people also say of data on stdin: `git diff | pipe review`. */
export const saidOfData: readonly string[] = ['review']
