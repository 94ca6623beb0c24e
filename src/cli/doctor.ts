import { findDirectories } from '../config/directories.ts'
import { exitCodes } from '../error.ts'
import { createTransport } from '../http/transport.ts'
import { present } from '../present.ts'
import { createCommandRunner } from '../process/command-runner.ts'
import { printable } from '../terminal/printable.ts'
import type { Flags } from './args.ts'
import { checkFolders, checkKeys, checkNode, checkSettings, checkTerminal } from './doctor-checks.ts'
import { checkProgram, checkSandbox, checkServers } from './doctor-programs.ts'
import type { Host } from './host.ts'
import { wantsJson } from './sessions.ts'

/** One thing that was looked at. */
export interface Checkup {
  readonly name: string
  /** `broken`: pipe does not work until it is mended; `missing`: it works, without what that would give. */
  readonly state: 'ok' | 'missing' | 'broken'
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

export interface DoctorOptions {
  readonly host: Host
  readonly flags: Flags
  readonly signal: AbortSignal
}

/** Looks at all that a run needs and says what is wrong with it, changing nothing: a line each, or one JSON object. Gives the exit code. */
export async function runDoctor({ host, flags, signal }: DoctorOptions): Promise<number> {
  const directories = findDirectories(host.env, host.home)
  const commands = createCommandRunner({ clock: host.clock })
  const transport = createTransport()
  try {
    const { settings, checks } = await checkSettings(host, flags, directories)
    const around = { host, settings, directories, commands, transport, signal }
    const found: readonly Checkup[] = [
      checkNode(process.versions.node),
      ...checks,
      ...(await checkKeys(around)),
      ...checkFolders(directories),
      ...(await Promise.all([
        checkServers(around),
        checkProgram({ program: 'bash', args: ['--version'], use: 'commands', isNeeded: true }, around),
        checkProgram({ program: 'git', args: ['--version'], use: 'undo', isNeeded: false }, around),
        checkProgram({ program: 'rg', args: ['--version'], use: 'fast searches', isNeeded: false }, around),
        checkSandbox(around),
      ])),
      checkTerminal(host),
    ]
    const isWell = found.every(({ state }) => state !== 'broken')
    host.stdout.write(
      wantsJson(flags) ? `${JSON.stringify({ ok: isWell, checks: found })}\n` : found.map(line).join(''),
    )
    return isWell ? 0 : exitCodes.config
  } finally {
    transport.close()
    await commands.close()
  }
}

const marks = { ok: '✓', missing: '–', broken: '✗' } as const

function line({ name, state, text, remedy }: Checkup): string {
  const advice = remedy === undefined ? '' : `\n${' '.repeat(14)}${printable(remedy)}`
  return `${marks[state]} ${name.padEnd(12)}${printable(text)}${advice}\n`
}

export function checkup(
  name: string,
  state: Checkup['state'],
  text: string,
  remedy?: string,
): Checkup {
  return { name, state, text, ...present({ remedy }) }
}
