import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastText, use } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

export const write = use(['write', { path: 'made.txt', content: 'by the elf\n' }])

/** A world whose model lets an elf work, in a git repository unless `bare`. */
export async function openWork({ bare = false }: { readonly bare?: boolean } = {}) {
  const world = await openWorld()
  await world.put('a.txt', 'one\ntwo\nthree\n')
  await world.put('secret/key.txt', 'key\n')
  if (!bare) {
    git(world, 'init', '-q')
    git(world, 'add', '.')
    git(world, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  }
  await world.put('b.txt', 'not committed\n')
  const read = (path: string) => readFileSync(join(world.cwd, path), 'utf8')
  const has = (path: string) => existsSync(join(world.cwd, path))
  return { ...world, read, has, lastResult: () => lastText(world.server.requests.at(-1)?.body ?? fail()) }
}

export function fail(): never {
  throw new Error('there is no request')
}

export function git({ cwd, env }: Pick<World, 'cwd' | 'env'>, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, env, encoding: 'utf8' })
}

export const elf = (prompt: string, more = {}) => use(['elf', { prompt, ...more }])
