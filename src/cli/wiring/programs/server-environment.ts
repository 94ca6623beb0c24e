import { systemPath } from '../../../process/system-path.ts'

/** Lists the variables that each server gets. None of them holds a key. Its entry adds the rest. */
const passedOn = ['HOME', 'PATH', 'SHELL', 'TERM', 'USER', 'LOGNAME', 'LANG'] as const

/** Returns the environment of servers that pipe starts. */
export function serverEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  return { PATH: systemPath, ...Object.fromEntries(kept) }
}

/** Names the project to programs that hooks and servers of the user start, in the words of other agents too. */
export function projectVariables(root: string): Readonly<Record<string, string>> {
  return { CLAUDE_PROJECT_DIR: root, PIPE_PROJECT_DIR: root }
}

/** Names the file in which a hook sets variables, in the words of other agents too. */
export function exportVariables(path: string): Readonly<Record<string, string>> {
  return { CLAUDE_ENV_FILE: path, PIPE_ENV_FILE: path }
}
