import { readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'

/** Files that appear or change in the folder while a memory is kept, in this order. */
const steps = ['MEMORY.md.lock', '.pipe-drafts', 'MEMORY.md']

it('a process that is killed while it keeps a memory leaves the file old or new, and holds no other up', async () => {
  const world = await openWorld()
  await world.pipe(['memory', 'add', 'first'])
  const [name = ''] = readdirSync(join(world.home, 'memories'))
  const folder = join(world.home, 'memories', name)
  const read = () => readFileSync(join(folder, 'MEMORY.md'), 'utf8')
  for (const [i, step] of [...steps, ...steps, ...steps].entries()) {
    const before = read()
    const text = `memory number ${i} ${'x'.repeat(1_900)}`
    const running = world.start(['memory', 'add', text])
    const watcher = watch(folder, (_, changed) => {
      if (changed === step) running.kill('SIGKILL')
    })
    await running.ended
    watcher.close()
    const after = read()
    const isNew = after.startsWith(`${before}- ${text} <!-- `) && after.endsWith(' -->\n')
    expect([step, after === before || isNew]).toEqual([step, true])
  }
  expect((await world.pipe(['memory', 'add', 'last'])).code).toBe(0)
  expect(read()).toMatch(/\n- last <!-- .* -->\n$/)
  expect(readdirSync(folder)).toEqual(['MEMORY.md'])
})
