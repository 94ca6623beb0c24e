import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PipeError } from '../../../error.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import type { Paged } from '../../../frontend/conversation-view.ts'
import { runOnTerminal } from '../../../process/terminal-program.ts'
import type { Machine } from '../../machine.ts'
import { nameScratch } from '../../wiring/scratch.ts'

const usualPager = 'less'

/** Shows a text or a file in the user's pager, `$PAGER` or less, on the terminal. Throws `tool` if it fails. */
export async function showInPager(
  paged: Paged,
  machine: Pick<Machine, 'cwd' | 'env' | 'newId'>,
): Promise<void> {
  if (paged.type === 'file') return page(paged.path, machine)
  const folder = nameScratch(machine)
  try {
    makePrivateFolder(folder)
    const path = join(folder, 'output.txt')
    writeFileSync(path, paged.text, { mode: 0o600 })
    await page(path, machine)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function page(path: string, { cwd, env }: Pick<Machine, 'cwd' | 'env'>): Promise<void> {
  const pager = env['PAGER']?.trim() || usualPager
  // `$PAGER` may hold arguments, so the shell splits it.
  const { exitCode } = await runOnTerminal({
    file: '/bin/sh',
    args: ['-c', `${pager} "$1"`, 'sh', path],
    cwd,
    env,
  })
  if (exitCode === 127)
    throw new PipeError('tool', `the pager ${pager} is not installed; PAGER names another`)
  if (exitCode !== 0 && exitCode !== null)
    throw new PipeError('tool', `the pager ${pager} failed with exit code ${exitCode}`)
}
