import { dirname, join } from 'node:path'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'

/** A repository with one commit and one session, unless `isGit` is false. */
export async function openProject({ isGit = true } = {}) {
  const world = await openWorld()
  const { cwd, pipe, server, shell } = world
  const git = 'git -c user.name=A -c user.email=a@b.c'
  if (isGit) await shell(`git init -q -b main && ${git} commit -q --allow-empty -m one`)
  server.reply(say('First.'))
  await pipe(['one'])
  const [{ id = '' } = {}] = await world.sessions()
  const at = (name: string) => join(dirname(cwd), name)
  return { ...world, id, at, git }
}
