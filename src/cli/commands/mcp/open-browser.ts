import { omitUndefined } from '../../../omit-undefined.ts'
import { createProgramRunner } from '../../../process/program-runner.ts'
import { findProgram } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import type { Host } from '../../host.ts'
import { programEnvironment } from '../../wiring/programs/server-environment.ts'

/** The browser lives on when pipe ends, so a shell starts it in the background. */
const line = '"$1" "$2" </dev/null >/dev/null 2>&1 &'

/** Opens a page in the user's browser. Returns whether there is one to open it in. */
export async function openBrowser(url: string, host: Host, signal: AbortSignal): Promise<boolean> {
  const { env, platform, cwd, clock } = host
  const isSeen = platform === 'darwin' || (env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '') !== ''
  if (!isSeen || !/^https?:/.test(url)) return false
  const name = platform === 'darwin' ? 'open' : 'xdg-open'
  const program = findProgram(name, env['PATH'] ?? systemPath, [cwd])
  if (program === undefined) return false
  const { exitCode } = await createProgramRunner({ clock, projectFolders: [cwd] }).run(
    {
      file: '/bin/sh',
      args: ['-c', line, 'sh', program, url],
      cwd: '/',
      env: { ...programEnvironment(env), ...omitUndefined({ BROWSER: env['BROWSER'] }) },
    },
    { signal, timeoutMs: 5_000, maxBytes: 10_000 },
  )
  return exitCode === 0
}
