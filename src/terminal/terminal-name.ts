/** Terminals and multiplexers that differ from others in a way that matters here. */
export type TerminalName =
  | 'tmux'
  | 'screen'
  | 'dvtm'
  | 'emacs'
  | 'linux'
  | 'rxvt'
  | 'st'
  | 'xterm'
  /** Calls itself xterm: it may be, as over ssh, or one of many others. */
  | 'xterm_like'

/** The facts that `TERM` alone tells of the innermost terminal. */
const byTerm: readonly (readonly [RegExp, TerminalName])[] = [
  [/^dvtm/, 'dvtm'],
  [/^eterm/, 'emacs'],
  [/^tmux/, 'tmux'],
  [/^linux/, 'linux'],
  [/^rxvt/, 'rxvt'],
  [/^st($|-)/, 'st'],
]

/** Returns the name of the innermost terminal, as the environment tells; `undefined` for others. */
export function terminalName(env: Readonly<Record<string, string>>): TerminalName | undefined {
  const { TERM: term = '', TMUX: tmux = '', STY: screen = '', DVTM: dvtm = '' } = env
  const named = byTerm.find(([pattern]) => pattern.test(term))?.[1]
  if (named !== undefined) return named
  // Inside both, only screen has a reason for this `TERM`: that of tmux could be chosen.
  const isScreen = term.startsWith('screen')
  if (tmux !== '' && !(isScreen && screen !== '')) return 'tmux'
  if (isScreen || screen !== '') return 'screen'
  if (dvtm !== '') return 'dvtm'
  if (!/^xterm(-(16|88|256)?color|-direct)?$/.test(term)) return undefined
  // Other terminals inherit the version from the xterm that they were started in.
  const isOther = ['VTE_VERSION', 'TERM_PROGRAM', 'WT_SESSION', 'KONSOLE_VERSION'].some(
    (name) => (env[name] ?? '') !== '',
  )
  return (env['XTERM_VERSION'] ?? '') !== '' && !isOther ? 'xterm' : 'xterm_like'
}
