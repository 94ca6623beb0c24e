import { systemClock } from '../../src/cli/system-clock.ts'
import { PipeError } from '../../src/error.ts'
import { FileChanges } from '../../src/hooks/file-changes.ts'
import type { Hook } from '../../src/hooks/hook.ts'
import { HookRunner, type HookRunnerOptions } from '../../src/hooks/hook-runner.ts'
import { readHooks } from '../../src/hooks/read-hooks.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { printable } from '../../src/terminal/printable.ts'
import { folderWith } from '../support/folders/folder.ts'
import { recordingAudit } from '../support/sessions/recording-audit.ts'

const env = { PATH: '/usr/local/bin:/usr/bin:/bin', CLAUDE_PROJECT_DIR: '/the/project' }

/** Reads hooks that have no fault. */
export function hooksOf(value: object): readonly Hook[] {
  const { hooks, problems } = readHooks(value, 'settings')
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return hooks
}

/** A hook before calls that runs a line of sh. */
export function onCall(command: string, more: object = {}): object {
  return { PreToolUse: [{ hooks: [{ type: 'command', command, ...more }] }] }
}

/** Runs hooks with real processes in a folder of their own. Close `commands` at the end. */
export async function openRunner(hooks: object, options: Partial<HookRunnerOptions> = {}) {
  const cwd = await folderWith()
  const { audit, entries } = recordingAudit()
  const commands = createCommandRunner({ clock: systemClock })
  const runner = new HookRunner({
    hooks: hooksOf(hooks),
    commands,
    clock: systemClock,
    cwd,
    env,
    transport: { send: () => Promise.reject(new PipeError('network', 'there is no network')) },
    ask: () => Promise.reject(new PipeError('config', 'there is no model')),
    askAgent: () => Promise.reject(new PipeError('config', 'there is no agent')),
    variables: {},
    isCovered: () => Promise.resolve(true),
    about: () => Promise.resolve({ session_id: 's1' }),
    audit,
    actor: 'agent_pipe',
    clean: printable,
    ...options,
  })
  return { runner, commands, cwd, entries }
}

/** Files of which none changes. */
export function unchanging(hooks: HookRunner): FileChanges {
  return new FileChanges({ hooks, cwd: '/nowhere', stamp: () => undefined })
}
