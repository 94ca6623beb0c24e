import { openWorld, type World } from '../../support/programs/world.ts'

/** A world whose project is a repository with these allow rules. */
export async function openProject(...allow: readonly string[]): Promise<World> {
  const world = await openWorld()
  await world.shell('git init -q')
  if (allow.length > 0) await propose(world, ...allow)
  return world
}

export function propose(world: World, ...allow: readonly string[]): Promise<void> {
  return world.put('.pipe/config.json', JSON.stringify({ permissions: { allow } }))
}
