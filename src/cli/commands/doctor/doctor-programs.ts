import { hasCode } from '../../../error.ts'
import { findLocalModels } from '../../wiring/model/local-servers.ts'
import { nameScratch, removeScratch } from '../../wiring/scratch.ts'
import { createSandbox } from '../../wiring/tools/command-sandbox.ts'
import type { CheckContext, Checkup } from './checkup.ts'

export interface ProgramCheck {
  readonly program: string
  /** Names the ability that pipe lacks without the program. */
  readonly use: string
  readonly isNeeded: boolean
}

/** Checks that a program runs, and reports the first line of its `--version`. */
export async function checkProgram(
  { program: name, use, isNeeded }: ProgramCheck,
  { programs, machine, signal }: CheckContext,
): Promise<Checkup> {
  const state = isNeeded ? 'broken' : 'missing'
  const program = { file: name, args: ['--version'], cwd: '/', env: { PATH: machine.env['PATH'] ?? '' } }
  try {
    const { exitCode, stdout, stderr } = await programs.run(program, probeLimits(signal))
    if (exitCode === 0) return { name, state: 'ok', text: firstLine(stdout) }
    const end = exitCode === null ? 'was killed' : `exited with ${exitCode}`
    const reason = firstLine(stderr)
    const text = `${name} --version ${end}${reason === '' ? '' : ` (${reason})`}: ${use}`
    return { name, state, text, remedy: `repair or reinstall ${name}` }
  } catch (error) {
    if (!hasCode(error, 'tool')) throw error
    const isAbsent = error.details['reason'] === 'ENOENT'
    if (isAbsent) return { name, state, text: `not found: ${use}`, remedy: `install ${name}` }
    return { name, state, text: `${error.message}: ${use}`, remedy: `repair or reinstall ${name}` }
  }
}

function probeLimits(signal: AbortSignal) {
  return { signal, timeoutMs: 5_000, maxBytes: 65_536 }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

/** Checks for model servers on this machine. */
export async function checkServers(around: CheckContext): Promise<Checkup> {
  const answers = await findLocalModels(around)
  const text = answers.map(({ server, models }) => `${server.name} (${models.length} models)`).join(', ')
  return { name: 'local models', state: 'ok', text: text === '' ? 'no server answers' : text }
}

/** Checks that commands can run in a sandbox. Broken only if the settings require one. */
export async function checkSandbox(around: CheckContext): Promise<Checkup> {
  const name = 'sandbox'
  const { machine, settings } = around
  const mode = settings.sandbox?.mode
  if (mode === 'off') return { name, state: 'missing', text: 'switched off' }
  const scratch = nameScratch(machine)
  try {
    const state = await (await createSandbox({ ...around, scratch })).check()
    if (state.works) return { name, state: 'ok', text: state.program }
    const { reason, remedy } = state
    return { name, state: mode === undefined ? 'missing' : 'broken', text: reason, remedy }
  } finally {
    await removeScratch(scratch)
  }
}
