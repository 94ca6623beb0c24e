import { basename } from 'node:path'
import type { WindowSigns } from '../../../ink/tty/window-size.ts'

type Environment = Readonly<Record<string, string>>

/** Terminals by their `TERM_PROGRAM` or `TERM`, and how they take notifications. Others would print the text, or ignore it. */
const notifying = [
  [/^(iterm\.app|wezterm|ghostty|xterm-kitty|xterm-ghostty)$/i, 'osc9'],
  [/^(foot|rxvt)/i, 'osc777'],
] as const

/** Terminals that take OSC 9;4 as progress. To some others, every OSC 9 is a notification. */
const progressing = /^(iterm\.app|wezterm|ghostty|xterm-ghostty)$/i
/** The first version of VTE, in its numbers, that does. */
const progressingVte = 7_900

/** Returns the signs that this terminal shows outside its rows; none in CI. `notify` is the user's setting. */
export function windowSigns(
  env: Environment,
  cwd: string,
  notify: 'auto' | 'bell' | 'off' = 'auto',
): WindowSigns {
  const { TERM: term = '', TERM_PROGRAM: program = '', CI: ci = '' } = env
  if (term === '' || term === 'dumb' || term === 'linux' || (ci !== '' && ci !== 'false')) return {}
  // A multiplexer passes only the title and the bell on.
  const isMultiplexed = (env['TMUX'] ?? env['STY'] ?? '') !== '' || /^(tmux|screen)/.test(term)
  const names = isMultiplexed ? [] : [program, term]
  const form = notifying.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? 'bell'
  const hasProgress =
    names.some((name) => progressing.test(name)) ||
    (!isMultiplexed &&
      ((env['WT_SESSION'] ?? '') !== '' ||
        env['ConEmuANSI'] === 'ON' ||
        Number(env['VTE_VERSION'] ?? 0) >= progressingVte))
  const chosen = notify === 'auto' ? form : notify === 'bell' ? 'bell' : undefined
  return { title: true, progress: hasProgress, place: basename(cwd), notify: chosen }
}
