import { findDirectories } from '../../../config/directories.ts'
import { exitCodes } from '../../../error.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { createProgramRunner } from '../../../process/program-runner.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { openTransport } from '../../wiring/model/open-network.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import type { Checkup } from './checkup.ts'
import { checkAgents } from './doctor-agents.ts'
import { checkFolders } from './doctor-folders.ts'
import { checkLanguages } from './doctor-languages.ts'
import { checkAuthorities, checkNetwork } from './doctor-network.ts'
import { checkPlugins } from './doctor-plugins.ts'
import { checkProgram, checkSandbox, checkServers } from './doctor-programs.ts'
import { checkKeys, checkSettingsFiles } from './doctor-settings.ts'
import { checkSkillFiles } from './doctor-skills.ts'
import { checkTasks } from './doctor-tasks.ts'
import { checkToolServers } from './doctor-tool-servers.ts'
import { checkVectors } from './doctor-vectors.ts'

/**
 * Checks everything that a run needs: one line each, or one JSON object. Leaves no files behind. Returns the exit code.
 */
export async function runDoctor(context: RunContext): Promise<number> {
  const { host, flags } = context
  const found = await checkAll(context)
  const isWell = found.every(({ state }) => state !== 'broken')
  const text =
    flags.format === 'json' ? `${printableJson({ ok: isWell, checks: found })}\n` : doctorText(found)
  host.stdout.write(text)
  return isWell ? 0 : exitCodes.config
}

/** Formats the checks as one line each, with what to do below those that lack something. */
export function doctorText(found: readonly Checkup[]): string {
  return printable(`${tableText(found.flatMap(rowsOf))}\n`)
}

/** Checks everything that a run needs. */
export async function checkAll(context: RunContext): Promise<readonly Checkup[]> {
  const { host, flags, signal } = context
  const directories = findDirectories(host.env, host.home)
  const folders = projectFolders(host)
  const commands = createCommandRunner({ clock: host.clock, projectFolders: folders })
  const programs = createProgramRunner({ clock: host.clock, projectFolders: folders })
  const { settings, checks } = await checkSettingsFiles(host, flags, directories)
  const transport = openTransport(host, settings)
  try {
    const around = { machine: host, settings, directories, commands, programs, transport, signal }
    return [
      runtime(host),
      ...checks,
      ...(await checkAgents(context)),
      ...(await checkSkillFiles(context)),
      ...(await checkToolServers(context, directories)),
      ...(await checkPlugins(context, directories)),
      ...(await checkLanguages(context, directories)),
      ...(await checkKeys(around)),
      ...checkFolders(around),
      await checkNetwork(around),
      ...checkAuthorities(around),
      ...(await checkTasks(host, directories, signal)),
      ...(await checkVectors({ machine: host, settings, directories, signal })),
      ...(await Promise.all([
        checkServers(around),
        checkProgram({ program: 'bash', use: 'no commands', isNeeded: true }, around),
        checkProgram({ program: 'git', use: 'nothing can be undone', isNeeded: false }, around),
        checkProgram({ program: 'rg', use: 'searches are slower', isNeeded: false }, around),
        checkSandbox(around),
      ])),
      checkTerminal(host),
    ]
  } finally {
    transport.close()
    await commands.close()
  }
}

/** Reports what runs pipe: Node, or the runtime inside the one-file build. */
function runtime({ platform, isOneFile, isBun }: Host): Checkup {
  const { node, bun } = process.versions
  const name = isBun === true ? 'bun' : 'node'
  const text = `${isBun === true ? bun : node} on ${platform}${isOneFile === true ? ', inside this one file' : ''}`
  return { name, state: 'ok', text }
}

function checkTerminal({ env, stdout }: Pick<Host, 'env' | 'stdout'>): Checkup {
  const names = ['TERM', 'COLORTERM', 'NO_COLOR', 'TMUX', 'LANG']
  const facts = names.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]))
  return {
    name: 'terminal',
    state: 'ok',
    text: [stdout.isTerminal ? 'yes' : 'stdout is not a terminal', ...facts].join(', '),
  }
}

const marks = { ok: '✓', missing: '–', broken: '✗' } as const

function rowsOf({ name, state, text, remedy }: Checkup): readonly (readonly string[])[] {
  const row = [`${marks[state]} ${name}`, text]
  return remedy === undefined ? [row] : [row, ['', remedy]]
}
