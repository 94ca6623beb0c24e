import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { say, use } from '../models/replies.ts'
import { expectRun } from './program.ts'
import { openWorld, type World } from './world.ts'

/** The arguments of the recorded edit. */
export const hello = { path: 'a.txt', old_text: 'hello', new_text: 'goodbye' } as const

/** A world whose session `work` edited a file, and copied it with a command. */
export async function recorded() {
  const world = await openWorld()
  await world.put('a.txt', 'hello\n')
  const commands = ['git init -q .', 'git add .', 'git -c user.name=x -c user.email=y commit -qm one']
  expectRun(await world.shell(commands.join(' && ')), { stdout: '' })
  const copied = { command: 'cp a.txt b.txt' }
  world.server.reply(
    use(['read', { path: 'a.txt' }]),
    use(['edit', hello]),
    use(['bash', copied]),
    say('Done.'),
  )
  expectRun(await world.pipe(['-s', 'work', '--yolo', 'say goodbye']), { stdout: 'Done.\n' })
  return world
}

/** Replays the session with `--json`. Returns its report with the exit code. */
export async function report({ pipe }: World, ...args: readonly string[]) {
  const { code, stdout, stderr } = await pipe(['replay', 'work', '--json', ...args])
  return { code, stderr, ...JSON.parse(stdout === '' ? '{}' : stdout) }
}

/** Lists the copies of folders that replays made and did not remove. */
export async function copiesLeft({ env }: World): Promise<readonly string[]> {
  const folder = join(env['HOME'] ?? '', '.cache/pipe/replay')
  return existsSync(folder) ? readdir(folder) : []
}
