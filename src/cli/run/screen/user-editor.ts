import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'
import type { Machine } from '../../machine.ts'

/**
 * Lets the user edit a text in `$VISUAL`, else `$EDITOR`, else vi. Returns a draft without the line break that editors add at the end, and
 * the text of the file `path` as it was left. Throws `tool` if the editor cannot start or fails: the text is then as it was.
 */
export async function editText(
  text: string,
  machine: Pick<Machine, 'env' | 'cwd'>,
  path?: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-draft-')).catch((error: unknown) => {
    throw fileError(error, tmpdir(), 'make')
  })
  try {
    // Editors choose colours by the name.
    const file = join(folder, path === undefined ? 'draft.md' : basename(path) || 'text')
    await writeFile(file, text, { mode: 0o600 })
    await editFile(file, machine, `the ${path === undefined ? 'draft' : 'text'} is unchanged`)
    const edited = await readFile(file, 'utf8')
    if (path !== undefined) return edited
    return edited.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Lets the user edit a file in `$VISUAL`, else `$EDITOR`, else vi. Throws `tool` if the editor cannot start or fails; `consequence` says
 * what that means.
 */
export async function editFile(
  file: string,
  { env, cwd }: Pick<Machine, 'env' | 'cwd'>,
  consequence: string,
): Promise<void> {
  const editor = [env['VISUAL'], env['EDITOR']].find((one = '') => one.trim() !== '') ?? 'vi'
  const { runOnTerminal } = await import('../../../process/terminal-program.ts')
  // A shell splits the words of a setting such as `code --wait`, as git does.
  const args = ['-c', `${editor} "$@"`, editor, file]
  const { exitCode } = await runOnTerminal({ file: '/bin/sh', args, cwd, env })
  if (exitCode === 0) return
  const how = exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`
  throw new PipeError(
    'tool',
    exitCode === 127
      ? `${editor} was not found, so ${consequence}; set VISUAL or EDITOR to your editor`
      : `${editor} ${how}, so ${consequence}`,
  )
}
