import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const change = 'sed -i s/one/two/ a.txt; rm gone.txt; mkdir made; echo new > made/new.txt'

/** A world in which a turn changed files with a command and with tools. */
export async function changed() {
  const world = await openWorld()
  await world.put('a.txt', 'one\n')
  await world.put('gone.txt', 'still here\n')
  await world.put('b.txt', 'b\n')
  world.server.reply(
    use(['bash', { command: change }]),
    use(['read', { path: 'b.txt' }]),
    use(['edit', { path: 'b.txt', old_text: 'b', new_text: 'B' }]),
    say('Done.'),
  )
  expectRun(await world.pipe(['--yolo', 'turn it over']), { stdout: 'Done.\n' })
  return { ...world, files: () => tree(world.cwd) }
}

/**
 * An environment whose git runs this line first. `$calls` is the number of the call, from 1.
 * The script counts without a process of its own, because a turn has 2 s to save its files.
 */
export async function withGit(
  { PATH = '', HOME = '' }: World['env'],
  line: string,
): Promise<{ readonly PATH: string }> {
  const folder = join(HOME, 'wrapped')
  mkdirSync(folder)
  const script = `#!/bin/sh
set -C; calls=1; until true 2> /dev/null > ${folder}/$calls; do calls=$((calls + 1)); done; set +C
${line}
PATH='${PATH}' exec git "$@"\n`
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 })
  return { PATH: `${folder}:${PATH}` }
}

export function tree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

export const before = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'gone.txt': 'still here\n' }
export const after = { 'a.txt': 'two\n', 'b.txt': 'B\n', 'made/new.txt': 'new\n' }
export const undone = `undid: turn it over
  changed      a.txt
  changed      b.txt
  removed      made/new.txt
  restored     gone.txt
`
