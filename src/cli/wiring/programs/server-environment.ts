import { systemPath } from '../../../process/system-path.ts'

/** Lists variables that say who the user is and where their desktop, terminal and files are. None of them holds a key. */
const passedOn = [
  ...['HOME', 'PATH', 'SHELL', 'TERM', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'TMUX', 'TMUX_PANE'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'PULSE_SERVER'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
]

/** Finds the families of such variables. */
const family = /^(?:LC_|XDG_|WSL)\w*$/

/** Returns the environment of programs that the user set up: servers, hooks, a browser. What else they need is set beside their command. */
export function programEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => passedOn.includes(name) || family.test(name))
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
