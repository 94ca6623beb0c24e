import { isatty } from 'node:tty'
import type { Settings } from '../../../config/settings.ts'
import { isInForeground } from '../../../files/lock/process-start.ts'
import type { StageOptions } from '../../../ink/stage.ts'
import { clipboardFacts } from '../../../terminal/clipboard.ts'
import { terminalName } from '../../../terminal/terminal-name.ts'
import type { RunContext } from '../../run-context.ts'
import { watchJob, watchWindow } from '../../signals.ts'
import { usualTheme } from './usual-theme.ts'
import { windowSigns } from './window-signs.ts'

/** The user's settings of the screen. */
export type ScreenSettings = Settings['tui']

/** Shows a screen on the terminal, and restores the terminal even if the program crashes. */
export async function onStage<T>(
  { host, interruption, signal }: RunContext,
  show: (stage: StageOptions) => Promise<T>,
  settings: ScreenSettings = {},
): Promise<T> {
  const themeSetting = settings.theme ?? 'auto'
  const dying = new AbortController()
  try {
    return await show({
      stdin: process.stdin,
      stdout: process.stdout,
      clock: host.clock,
      terminalName: terminalName(host.env),
      theme: usualTheme(themeSetting, host.env),
      themeSetting,
      hasTrueColor: /truecolor|24bit/i.test(host.env['COLORTERM'] ?? ''),
      hasCursor: settings.cursor ?? (usesInputMethod(host.env) ? true : undefined),
      editor: settings.editor,
      keys: settings.keys,
      window: windowSigns(host.env, host.cwd, settings.notify),
      signal,
      isThere: () => isatty(1),
      onGone: () => interruption.raise('SIGHUP'),
      onRestorable: (restore) => onDeath(restore, dying.signal),
      isForeground: isInForeground,
      setBlocking: (isBlocking) => setBlockingWrites(process.stdout, isBlocking),
      watchJob,
      watchWindow,
      clipboard: clipboardFacts(host.env),
      readsClipboard: settings.clipboard_read,
    })
  } finally {
    dying.abort()
  }
}

/** Whether people of this locale write with an input method, whose window opens at the cursor. */
function usesInputMethod({
  LC_ALL: all,
  LC_CTYPE: type,
  LANG: language,
}: RunContext['host']['env']): boolean {
  return /^(ja|ko|zh)/i.test(all || type || language || '')
}

/** Restores the terminal even if the program crashes, before it reports anything. */
function onDeath(restore: () => void, over: AbortSignal): void {
  process.on('uncaughtExceptionMonitor', restore)
  process.on('exit', restore)
  over.addEventListener('abort', () => {
    process.off('uncaughtExceptionMonitor', restore)
    process.off('exit', restore)
  })
}

/**
 * Sets whether writes to a terminal wait for it, or return and leave the rest for later. Node makes them wait, which holds up the whole
 * program while the terminal is slow. Does nothing where Node does not allow it.
 */
function setBlockingWrites(stream: NodeJS.WriteStream, isBlocking: boolean): void {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return
  const { setBlocking } = handle
  if (typeof setBlocking === 'function') Reflect.apply(setBlocking, handle, [isBlocking])
}
