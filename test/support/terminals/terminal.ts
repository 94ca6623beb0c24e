import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import type { World } from '../programs/world.ts'

/** Whether this machine can run programs on a real terminal. */
export const hasTerminal = spawnSync('tmux', ['-V']).status === 0

export interface Terminal {
  /** Types a text and Enter. */
  line(text: string): Promise<void>
  /** Types a text. */
  type(text: string): Promise<void>
  /** Presses one key by its tmux name: `C-c`, `C-d`. */
  key(name: string): Promise<void>
  /** Waits until the screen, without trailing space, matches. */
  until(pattern: RegExp): Promise<void>
}

/** Runs a line of sh on a terminal of 100 by 40. At its end the screen shows `ended` and the exit code. */
export async function openTerminal({ home, cwd, env }: World, line: string): Promise<Terminal> {
  const run = async (...args: readonly string[]) => {
    const options = { cwd, env: { ...env, LANG: 'C.UTF-8', TERM: 'xterm-256color' } }
    const { stdout } = await promisify(execFile)(
      'tmux',
      ['-S', join(home, 'tmux'), '-f', '/dev/null', ...args],
      options,
    )
    return stdout
  }
  onTestFinished(async () => {
    await run('kill-server')
  })
  await run('new-session', '-d', '-x', '100', '-y', '40', `${line}; echo "ended $?"; exec cat`)
  return {
    line: async (text) => {
      await run('send-keys', '-l', text)
      await run('send-keys', 'Enter')
    },
    type: async (text) => {
      await run('send-keys', '-l', text)
    },
    key: async (name) => {
      await run('send-keys', name)
    },
    until: async (pattern) => {
      await expect.poll(async () => (await run('capture-pane', '-p')).trimEnd()).toMatch(pattern)
    },
  }
}
