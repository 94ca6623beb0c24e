import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { isPipeError } from '../error.ts'
import type { Checkup, Surroundings } from './checkup.ts'
import { findLocalModels } from './local-servers.ts'
import { openCommandSandbox } from './sandbox.ts'

export interface ProgramCheck {
  readonly program: string
  /** What there is not without it. */
  readonly use: string
  readonly isNeeded: boolean
}

/** Whether a program is there, by the first line of its `--version`. */
export async function checkProgram(
  { program, use, isNeeded }: ProgramCheck,
  { commands, host, signal }: Surroundings,
): Promise<Checkup> {
  const line = { file: program, args: ['--version'], cwd: '/', env: { PATH: host.env['PATH'] ?? '' }, timeoutMs: 5_000 }
  let said = ''
  try {
    for await (const { chunk } of commands.run(line, { signal })) said += Buffer.from(chunk).toString()
    return { name: program, state: 'ok', text: said.split('\n')[0] ?? '' }
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'tool') throw error
    const state = isNeeded ? 'broken' : 'missing'
    return { name: program, state, text: `not found: no ${use}`, remedy: `install ${program}` }
  }
}

/** Servers on this machine that answer. */
export async function checkServers(around: Surroundings): Promise<Checkup> {
  const answers = await findLocalModels(around)
  const text = answers.map(({ server, models }) => `${server.name} (${models.length} models)`).join(', ')
  return text === '' ? { name: 'local models', state: 'ok', text: 'no server runs here' } : { name: 'local models', state: 'ok', text }
}

/** Whether commands can be run in a sandbox; broken only where the settings ask for one. */
export async function checkSandbox(around: Surroundings): Promise<Checkup> {
  const { host, settings } = around
  const scratch = join(tmpdir(), `pipe-${host.newId.message()}`)
  const mode = settings.sandbox?.mode
  if (mode === 'off') return { name: 'sandbox', state: 'missing', text: 'switched off', remedy: '--sandbox workspace-write' }
  try {
    const opened = await openCommandSandbox({
      ...around,
      settings: { ...settings, sandbox: { ...settings.sandbox, mode: undefined } },
      scratch,
      mayChangeMode: true,
    })
    const state = await opened.sandbox?.check()
    if (state?.works === true) return { name: 'sandbox', state: 'ok', text: state.program }
    return {
      name: 'sandbox',
      state: mode === undefined ? 'missing' : 'broken',
      text: `does not work: ${state?.reason}`,
      ...(state === undefined ? {} : { remedy: state.remedy }),
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
