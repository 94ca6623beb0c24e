import { isPipeError } from '../../error.ts'
import { findLocalModels } from '../wiring/local-servers.ts'
import { createSandbox } from '../wiring/sandbox.ts'
import { nameScratch, removeScratch } from '../wiring/scratch.ts'
import type { Checkup, Surroundings } from './checkup.ts'

export interface ProgramCheck {
  readonly program: string
  /** What it means that it is not there. */
  readonly use: string
  readonly isNeeded: boolean
}

/** Whether a program is there, by the first line of its `--version`. */
export async function checkProgram(
  { program, use, isNeeded }: ProgramCheck,
  { commands, host, signal }: Surroundings,
): Promise<Checkup> {
  const env = { PATH: host.env['PATH'] ?? '' }
  const command = { file: program, args: ['--version'], cwd: '/', env, timeoutMs: 5_000 }
  let said = ''
  try {
    for await (const { chunk } of commands.run(command, { signal })) said += Buffer.from(chunk).toString()
    return { name: program, state: 'ok', text: said.split('\n')[0] ?? '' }
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'tool') throw error
    const state = isNeeded ? 'broken' : 'missing'
    return { name: program, state, text: `not found: ${use}`, remedy: `install ${program}` }
  }
}

/** Servers of models on this machine. */
export async function checkServers(around: Surroundings): Promise<Checkup> {
  const answers = await findLocalModels(around)
  const text = answers.map(({ server, models }) => `${server.name} (${models.length} models)`).join(', ')
  return { name: 'local models', state: 'ok', text: text === '' ? 'no server answers' : text }
}

/** Whether commands can run in a sandbox; broken only where the settings ask for one. */
export async function checkSandbox(around: Surroundings): Promise<Checkup> {
  const name = 'sandbox'
  const { host, settings } = around
  const mode = settings.sandbox?.mode
  if (mode === 'off') return { name, state: 'missing', text: 'switched off' }
  const scratch = nameScratch(host)
  try {
    const state = await (await createSandbox({ ...around, scratch })).check()
    if (state.works) return { name, state: 'ok', text: state.program }
    const { reason, remedy } = state
    return { name, state: mode === undefined ? 'missing' : 'broken', text: reason, remedy }
  } finally {
    await removeScratch(scratch)
  }
}
